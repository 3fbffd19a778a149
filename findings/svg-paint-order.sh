#!/bin/sh
# CairoSVG 2.9.0 and WeasyPrint 70.0 (PyPI) draw an SVG text with a wide stroke the same with and without `paint-order: stroke`:
# the stroke covers the letters. SVG 2 (13.9) and every browser draw the stroke first, which is how maps get a light edge around names.
# What works in all of them: the text twice, with the stroke below and without it above.
# Seen on 2026-11-28: the letter's own colour is in neither picture; with the property resvg-py 0.5.0 shows the letter. Needs a font.
set -eu
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv env
env/bin/pip -q install cairosvg==2.9.0 weasyprint==70.0 resvg-py==0.5.0 pypdfium2==5.1.0 pillow==12.0.0
cat >try.py <<'END'
import io, sys
import cairosvg, pypdfium2, resvg_py, weasyprint
from PIL import Image

TEXT = '<text x="14" y="46" font-size="40" font-family="DejaVu Sans, sans-serif" fill="#ff0000" stroke="#ffffff" stroke-width="14" {}>l</text>'
PAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60" viewBox="0 0 60 60"><rect width="60" height="60" fill="#808080"/>{}</svg>'

def red(data):
    pixels = Image.open(io.BytesIO(data)).convert("RGB").getdata()
    return any(r > 200 and g < 60 and b < 60 for r, g, b in pixels)

def printed(svg):
    html = f"<style>@page {{ size: 60px 60px; margin: 0 }} body {{ margin: 0 }}</style>{svg}"
    page = pypdfium2.PdfDocument(weasyprint.HTML(string=html).write_pdf())[0]
    out = io.BytesIO()
    page.render(scale=4).to_pil().save(out, "PNG")
    return out.getvalue()

found = {}
for name, draw in (
    ("CairoSVG", lambda svg: cairosvg.svg2png(svg.encode())),
    ("WeasyPrint", printed),
    ("resvg", lambda svg: bytes(resvg_py.svg_to_bytes(svg_string=svg))),
):
    with_it, without = (draw(PAGE.format(TEXT.format(style))) for style in ('style="paint-order:stroke"', ""))
    found[name] = red(with_it), red(without)
    print(f"{name}: the letter is seen with paint-order: {found[name][0]}, without: {found[name][1]}")
sys.exit(found != {"CairoSVG": (False, False), "WeasyPrint": (False, False), "resvg": (True, False)})
END
env/bin/python try.py
