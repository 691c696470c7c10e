"""Texts of small URDF files."""

from __future__ import annotations

import warnings
from pathlib import Path

import toccata as tc

BOX = '<collision><origin xyz="{} 0 0"/><geometry><box size="0.2 0.2 0.2"/></geometry></collision>'
JOINT = (
    '<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>'
    '<limit lower="-9" upper="9" effort="1" velocity="1"/></joint>'
)


def urdf(inside: str = "", *, joint: str = JOINT, more: str = "", arm: str = "arm") -> str:
    """Return an arm whose last box comes after whatever is `inside` of its link."""
    text = (
        f'<robot name="r">{joint}<link name="base">{BOX.format(0)}</link>'
        f'<link name="arm">{BOX.format(1)}{inside}{BOX.format(2)}</link>{more}</robot>'
    )
    return text.replace('"arm"', f'"{arm}"')


def shape(text: str) -> str:
    return urdf(f"<collision><geometry>{text}</geometry></collision>")


def joint(text: str, kind: str = "revolute", ends: str = "", name: str = "j") -> str:
    ends = ends or '<parent link="base"/><child link="arm"/>'
    return urdf(joint=f'<joint name="{name}" type="{kind}">{ends}{text}</joint>')


def read(folder: Path, content: str | bytes) -> tc.Robot:
    path = folder / "r.urdf"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return tc.Robot.from_urdf(path)


BOMB = (
    '<!DOCTYPE robot [<!ENTITY a0 "0">'
    + "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(12))
    + "]>"
)
SECOND = '<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/>{}</joint>'
LINK = '<link name="{}"/>'
