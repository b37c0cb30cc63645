"""python -m carom render FOLDER FILE: the film of a run, as run.animate() makes it; ./carom render is the same."""

from __future__ import annotations

import argparse
import sys

import carom


def main() -> int:
    parser = argparse.ArgumentParser(prog="carom")
    commands = parser.add_subparsers(required=True)
    render = commands.add_parser("render", help="a run's animation as a film")
    render.add_argument("folder", help="of a run")
    render.add_argument("file", help="ends with .mp4 or .gif")
    render.add_argument("--width", type=int, default=640, help="in pixels (640)")
    render.add_argument("--fps", type=int, default=30, help="frames a second (30)")
    render.add_argument("--speed", type=float, default=1.0, help="how much time passes in a second (1)")
    asked = parser.parse_args()
    try:
        carom.load(asked.folder).animate(asked.file, asked.width, asked.fps, asked.speed)
    except (carom.CaromError, ValueError, RuntimeError) as error:
        print(f"carom: {error}", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
