"""A run as a film: the report's own drawing, frame by frame, in headless Chromium, and from there to ffmpeg."""

from __future__ import annotations

import base64
import pathlib
import re
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING

import numpy as np

from carom.arguments import refuse

if TYPE_CHECKING:
    from carom.run import Run

# At the end of the page: each frame is drawn by the page, put on white in the size that was asked for, and left as text.
_SCRIPT = """
<script>
(function () {
  const carom = window.carom, canvas = document.querySelector('#motion canvas');
  const frames = document.createElement('pre'), film = document.createElement('canvas');
  frames.id = 'frames';
  if (canvas && carom.player) {
    film.width = WIDTH, film.height = 2 * Math.round(WIDTH * canvas.height / canvas.width / 2);
    const context = film.getContext('2d');
    for (const t of TIMES) {
      carom.player.seek(t);
      context.fillStyle = 'white';
      context.fillRect(0, 0, film.width, film.height);
      context.drawImage(canvas, 0, 0, film.width, film.height);
      frames.append(film.toDataURL('image/png').slice(22) + '\\n');
    }
  }
  document.body.replaceChildren(frames);
})();
</script>
"""


def animate(run: Run, path: pathlib.Path, width: int, fps: int, speed: float) -> pathlib.Path:
    """The film of a run, as .mp4 or .gif."""
    if path.suffix not in (".mp4", ".gif"):
        raise ValueError(f"animate({str(path)!r}): the name ends with .mp4 or .gif")
    frames = float(run.t[-1] - run.t[0]) / speed * fps
    if not frames < _MOST:
        refuse("animate()", "speed", speed, f"makes {frames:.3g} frames of this run, and {_MOST} are the most")
    browser, ffmpeg = _tool("chromium"), _tool("ffmpeg")
    count = int(frames) + 1
    times = np.minimum(run.t[0] + np.arange(count) * speed / fps, run.t[-1])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for k in range(0, count, _AT_ONCE):
            for i, png in enumerate(_frames(run, browser, folder, int(width), times[k : k + _AT_ONCE])):
                (folder / f"{k + i:06}.png").write_bytes(png)
        pixels = ["-pix_fmt", "yuv420p"] if path.suffix == ".mp4" else ["-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse"]
        command = [ffmpeg, "-y", "-loglevel", "error", "-framerate", str(int(fps)), "-i", str(folder / "%06d.png"), *pixels]
        done = subprocess.run([*command, str(path)], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"ffmpeg: {done.stderr.strip()}")
    return path


_AT_ONCE, _MOST = 500, 100_000  # frames of one page, and of a film
_IN_SPACE = ',"space":{"up":'  # of the page's data: bodies that are drawn by WebGL, which needs no graphics card with these
_SOFTWARE_GL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


def _tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise RuntimeError(f"animate() needs {name}, a package of Debian's of that name")
    return found


def _frames(run: Run, browser: str, folder: pathlib.Path, width: int, times: list[float]) -> list[bytes]:
    script = _SCRIPT.replace("WIDTH", str(width - width % 2)).replace("TIMES", str([float(t) for t in times]))
    page, report = folder / "film.html", run.report()
    page.write_text(report.replace("</body>", script + "</body>"), encoding="utf-8")
    drawn_by = _SOFTWARE_GL if _IN_SPACE in report else ["--disable-gpu"]
    flags = ["--headless", "--no-sandbox", *drawn_by, "--no-first-run", f"--user-data-dir={folder / 'profile'}"]
    scale = ["--window-size=1280,900", f"--force-device-scale-factor={max(1.0, width / 640):.3f}"]
    done = subprocess.run([browser, *flags, *scale, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=600)
    found = re.search(r'<pre id="frames">(.*?)</pre>', done.stdout, re.S)
    frames = found[1].split() if found else []
    if len(frames) != len(times):
        raise RuntimeError(f"{browser} drew {len(frames)} of {len(times)} frames: {done.stderr.strip()[-300:]}")
    return [base64.b64decode(frame) for frame in frames]
