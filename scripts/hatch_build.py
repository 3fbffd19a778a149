"""What hatchling puts into the wheel and the source package besides the files as they lie: the pages, and the examples, each as an archive."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling calls `initialize` before it builds and `finalize` after it."""

    folder: tempfile.TemporaryDirectory[str]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root, included = Path(self.root), build_data["force_include"]
        if self.target_name == "wheel":
            included.update({str(page): f"kingdom/docs/{page.name}" for page in root.glob("docs/*") if page.is_file()})
        self.folder = tempfile.TemporaryDirectory()
        if (root / "campaigns").is_dir():  # a source package has them packed already
            archives = list(root.glob("campaigns/*.tar.xz"))
            for name in self.config["open_examples"]:
                _prove_untouched(root / "campaigns" / name)
                archives.append(Path(self.folder.name, f"{name}.tar.xz"))
                pack(root / "campaigns" / name, archives[-1])
            included.update({str(archive): f"kingdom/examples/{archive.name}" for archive in archives})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.folder.cleanup()


def _prove_untouched(campaign: Path) -> None:
    """Raises RuntimeError where a campaign is not as git has it."""
    if (campaign.parent.parent / ".git").exists():
        asked = ["git", "ls-files", "--others", "--deleted", "--exclude-standard", "--", str(campaign)]
        if subprocess.run(asked, cwd=campaign, capture_output=True, check=True).stdout:
            raise RuntimeError(f"{campaign} was played on; put it back first, as README.md says.")


def pack(folder: Path, archive: Path) -> None:
    """Pack the files of a folder, hidden ones left out; the same files give the same bytes, whatever their dates and owners."""
    with tarfile.open(archive, "w:xz", preset=9) as packed:
        for file in sorted(file for file in folder.rglob("[!.]*") if file.is_file()):
            data = file.read_bytes()
            entry = tarfile.TarInfo(file.relative_to(folder).as_posix())
            entry.size = len(data)
            packed.addfile(entry, io.BytesIO(data))
