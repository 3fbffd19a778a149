"""Templates are compiled once and kept as Python; whatever is in the cache, a template says what it says."""

from __future__ import annotations

import marshal
from pathlib import Path

import jinja2
import pytest

from kingdom.orders import cache
from kingdom.render.templates import environment


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KINGDOM_CACHE", str(tmp_path / "cache"))
    (tmp_path / "templates").mkdir()
    return tmp_path / "templates"


def rendered(folder: Path, text: str, file: str = "report.txt", **view: object) -> str:
    (folder / file).write_text(text)
    return environment(folder, {}).get_template(file).render(view=view)


def kept(folder: Path) -> list[Path]:
    return sorted(folder.parent.glob("cache/*"))


def test_a_template_is_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rendered(folder, "{{ view.bp }} BP", bp=5) == "5 BP"
    assert len(kept(folder)) == 1

    def never(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(jinja2.Environment, "compile", never)
    assert rendered(folder, "{{ view.bp }} BP", bp=6) == "6 BP"


def test_a_changed_template_is_compiled_anew(folder: Path) -> None:
    assert rendered(folder, "{{ view.bp }} BP", bp=5) == "5 BP"
    assert rendered(folder, "{{ view.bp }} build points", bp=5) == "5 build points"


def test_another_jinja_compiles_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered(folder, "{{ view.bp }} BP", bp=5)
    monkeypatch.setattr(jinja2, "__version__", "99")
    rendered(folder, "{{ view.bp }} BP", bp=5)
    assert len(kept(folder)) == 2


def test_the_same_text_as_html_is_another_template(folder: Path) -> None:
    assert rendered(folder, "{{ view.name }}", name="<b>") == "<b>"
    assert rendered(folder, "{{ view.name }}", "report.html", name="<b>") == "&lt;b&gt;"


@pytest.mark.parametrize("damage", ["cut", "others"])
def test_what_may_not_be_trusted_is_not_run(folder: Path, damage: str) -> None:
    """A file that is cut, or that others may write to, is as if it were not there."""
    rendered(folder, "{{ view.bp }} BP", bp=5)
    file = kept(folder)[0]
    cache.put(file.name, marshal.dumps(compile("raise SystemExit('run from the cache')", "cache", "exec")))
    with pytest.raises(SystemExit):
        rendered(folder, "{{ view.bp }} BP", bp=5)
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:-1])
    else:
        file.chmod(0o666)
    assert rendered(folder, "{{ view.bp }} BP", bp=5) == "5 BP"


@pytest.mark.parametrize(
    "content", [b"", b"no code", marshal.dumps("a text"), marshal.dumps(compile("1", "", "exec"))[:-9]]
)
def test_what_is_no_code_is_made_again(folder: Path, content: bytes) -> None:
    rendered(folder, "{{ view.bp }} BP", bp=5)
    cache.put(kept(folder)[0].name, content)
    assert rendered(folder, "{{ view.bp }} BP", bp=5) == "5 BP"


def test_without_a_cache_all_is_as_with_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGDOM_CACHE", "off")
    assert rendered(folder, "{{ view.bp }} BP", bp=5) == "5 BP"
    assert not kept(folder)


def test_a_broken_template_names_its_line(folder: Path) -> None:
    with pytest.raises(jinja2.TemplateSyntaxError) as broken:
        rendered(folder, "fine\n{% if %}\n")
    assert broken.value.lineno == 2 and not kept(folder)


def test_what_a_view_lacks_is_an_error_and_no_method_of_it_is_reached(folder: Path) -> None:
    assert rendered(folder, "{{ view.items }}", items=3) == "3"
    for text in ("{{ view.bp }}", "{{ view.keys }}"):
        with pytest.raises(jinja2.UndefinedError):
            rendered(folder, text)
