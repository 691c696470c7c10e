// Plays a recorded view in a page of viser: it feeds viser's own messages to the page, row by row.
// `toccataView` (made by html.py) has the times, marks and plots, and for each item that changes
// a track: which rows it is shown in, and its arrays in one block of bytes.
(async () => {
  "use strict";
  const view = window.toccataView;
  const kinds = { f: Float32Array, b: Uint8Array };
  const bytes = await unpacked(view.data);
  const viewer = await untilReady();
  const shown = new Map();
  const state = { row: -1, time: view.times[0], playing: false, speed: 1, last: 0 };
  const page = build();
  window.toccataPlayer = { state, go, jump, play, view };
  go(view.times[0]);

  // Data ---------------------------------------------------------------------------------------

  async function unpacked(text) {
    const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  }

  function untilReady() {
    const count = view.nodes.length;
    return new Promise((resolve) => {
      const look = () => {
        const viewer = window.__viserMutable;
        const tree = window.__viserSceneTree?.getState() ?? {};
        const drawn = view.nodes.filter((name) => tree[name] !== undefined).length;
        if (viewer?.cameraControl && drawn === count) resolve(viewer);
        else setTimeout(look, 30);
      };
      look();
    });
  }

  /** The numbers of an array at a row: [kind, offset in bytes, numbers of a row]. */
  function numbers([kind, offset, width], row) {
    const Kind = kinds[kind];
    return new Kind(bytes, offset + row * width * Kind.BYTES_PER_ELEMENT, width);
  }

  // Scene --------------------------------------------------------------------------------------

  function send(messages) {
    for (const message of messages) viewer.messageQueue.push({ owner: "", ...message });
    if (messages.length) viewer.requestRender();
  }

  function rowOf(time) {
    let low = 0, high = view.times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (view.times[middle] <= time) low = middle; else high = middle;
    }
    return time - view.times[low] <= view.times[high] - time ? low : high;
  }

  function draw(row) {
    if (row === state.row) return;
    const messages = [];
    for (const track of view.tracks) {
      const own = row - track.first;
      const visible = own >= 0 && own < track.count;
      if (shown.get(track.name) !== visible) {
        shown.set(track.name, visible);
        messages.push({ type: "SetSceneNodeVisibilityMessage", name: track.name, visible });
      }
      if (visible) messages.push(...changes(track, own));
    }
    send(messages);
    state.row = row;
  }

  function* changes(track, row) {
    const name = track.name;
    if (track.position) {
      const position = [...numbers(track.position, row)];
      yield { type: "SetPositionMessage", name, position };
    }
    if (track.wxyz) {
      yield { type: "SetOrientationMessage", name, wxyz: [...numbers(track.wxyz, row)] };
    }
    const updates = {};
    for (const [key, array] of Object.entries(track.props ?? {})) {
      const values = numbers(array, row);
      updates[key] = key === "color" ? [...values] : values.slice();
    }
    if (Object.keys(updates).length) yield { type: "SceneNodeUpdateMessage", name, updates };
  }

  /** Move the camera; ghosts are in the way when one looks closely. */
  function look(camera, close) {
    const ghosts = view.ghosts.map((name) => ({
      type: "SetSceneNodeVisibilityMessage", name, visible: !close,
    }));
    send([
      ...ghosts,
      { type: "SetCameraUpDirectionMessage", position: camera.up, initial: false },
      { type: "SetCameraPositionMessage", position: camera.position, initial: false },
      { type: "SetCameraLookAtMessage", look_at: camera.target, initial: false },
    ]);
  }

  // Time ---------------------------------------------------------------------------------------

  function go(time) {
    state.time = Math.min(Math.max(time, view.times[0]), view.times.at(-1));
    const row = rowOf(state.time);
    draw(row);
    page.show(state.time, row);
  }

  function jump(mark) {
    play(false);
    go(mark.time);
    look(mark.camera, true);
  }

  function play(on) {
    state.playing = on;
    state.last = performance.now();
    if (on && state.time >= view.times.at(-1)) state.time = view.times[0];
    page.showPlaying(on);
    if (on) requestAnimationFrame(tick);
  }

  function tick(now) {
    if (!state.playing) return;
    const length = view.times.at(-1) - view.times[0];
    const time = state.time + (state.speed * length * (now - state.last)) / 1000 / view.seconds;
    state.last = now;
    go(time);
    if (time >= view.times.at(-1)) play(false);
    else requestAnimationFrame(tick);
  }

  // Page ---------------------------------------------------------------------------------------

  function add(parent, tag, name = "", text = "") {
    const element = parent.appendChild(document.createElement(tag));
    if (name) element.className = name;
    if (text) element.textContent = text;
    return element;
  }

  function share(time) {
    const length = view.times.at(-1) - view.times[0];
    return length > 0 ? (time - view.times[0]) / length : 0;
  }

  function written(time) {
    const digits = view.unit === "s" ? 2 : 3;
    return view.unit ? `${time.toFixed(digits)} ${view.unit}` : `t = ${time.toFixed(digits)}`;
  }

  function build() {
    const root = add(document.body, "div");
    root.id = "toccata";
    const about = add(root, "div", "card about");
    add(about, "b", "", view.title);
    for (const note of view.notes) add(about, "div", "", note);
    const moves = view.times.length > 1;
    const plots = moves ? buildPlots(root) : [];
    const bar = add(root, "div", "card bar");
    bar.hidden = !moves && !view.marks.some((mark) => mark.camera);
    if (bar.hidden) bar.style.display = "none";
    const line = moves ? buildLine(bar) : null;
    buildJumps(bar, view.marks.filter((mark) => mark.camera));
    add(bar, "button", "whole", "whole scene").onclick = () => look(view.camera, false);
    const speed = moves ? buildSpeed(bar) : null;
    addEventListener("keydown", (event) => {
      if (!moves || ["INPUT", "SELECT", "BUTTON"].includes(event.target.tagName)) return;
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.code];
      if (event.code === "Space") { play(!state.playing); event.preventDefault(); }
      if (step) { play(false); go(view.times[Math.max(0, Math.min(state.row + step, view.times.length - 1))]); }
    });
    return {
      show(time, row) {
        line?.show(time);
        for (const plot of plots) plot(time, row);
      },
      showPlaying(on) { line?.showPlaying(on); },
    };
  }

  function buildJumps(bar, marks) {
    if (marks.length > 2) {
      const select = add(bar, "select", "jump");
      add(select, "option", "", "jump to ...").value = "";
      marks.forEach((mark, i) => { add(select, "option", "", mark.name).value = i; });
      select.onchange = () => { if (select.value !== "") jump(marks[+select.value]); };
      return;
    }
    for (const mark of marks) {
      add(bar, "button", "jump", `to ${mark.name}`).onclick = () => jump(mark);
    }
  }

  function buildLine(bar) {
    const button = add(bar, "button", "play", "\u25B6");
    button.title = "play or pause (space)";
    button.onclick = () => play(!state.playing);
    const line = add(bar, "div", "line");
    const slider = add(line, "input");
    Object.assign(slider, { type: "range", min: view.times[0], max: view.times.at(-1), step: "any" });
    slider.oninput = () => { play(false); go(+slider.value); };
    let named = -1;  // where the last name is: names closer to each other would overlap
    for (const [time, marks] of atOneTime(view.marks)) {
      const free = share(time) - named > 0.16;
      if (free) named = share(time);
      buildMark(line, time, marks, free);
    }
    const now = add(bar, "div", "now");
    return {
      show(time) { slider.value = time; now.textContent = written(time); },
      showPlaying(on) { button.textContent = on ? "\u275A\u275A" : "\u25B6"; },
    };
  }

  function atOneTime(marks) {
    const found = new Map();
    for (const mark of marks) found.set(mark.time, [...(found.get(mark.time) ?? []), mark]);
    return found;
  }

  function buildMark(line, time, marks, named) {
    const at = share(time);
    const side = at < 0.12 ? "left" : at > 0.88 ? "right" : "";
    const mark = add(line, "div", `mark ${side}`);
    // The knob of a slider stays within the line: 8 pixels are left free on both sides.
    mark.style.left = `calc(8px + ${at} * (100% - 16px))`;
    mark.style.color = `rgb(${marks.at(-1).color})`;
    add(mark, "i");
    if (named) add(mark, "span", "", marks.map((mark) => mark.name).join(", "));
  }

  function buildSpeed(bar) {
    const select = add(bar, "select");
    select.title = "speed";
    for (const speed of [0.1, 0.25, 0.5, 1, 2, 4]) add(select, "option", "", `${speed}x`).value = speed;
    select.value = 1;
    select.onchange = () => { state.speed = +select.value; };
    return select;
  }

  function buildPlots(root) {
    const row = add(root, "div", "plots");
    return view.plots.map((plot) => buildPlot(row, plot));
  }

  function buildPlot(parent, plot) {
    const card = add(parent, "div", "card plot");
    const title = add(card, "div", "name");
    const values = plot.series.map((series) => {
      add(title, "b", "", series.name).style.color = `rgb(${series.color})`;
      return add(title, "span");
    });
    const finite = plot.series.flatMap((series) => series.values).filter((x) => x !== null);
    const low = Math.min(0, ...finite), high = Math.max(...finite, low + 1e-300);
    const height = (value) => 78 - 68 * (value - low) / (high - low || 1);
    const svg = drawn(card, "svg", { viewBox: "0 0 310 92", preserveAspectRatio: "none" });
    drawn(svg, "line", { x1: 0, x2: 310, y1: height(0), y2: height(0), stroke: "#c5ccd8" });
    for (const mark of view.marks) {
      const x = 310 * share(mark.time);
      drawn(svg, "line", { x1: x, x2: x, y1: 4, y2: 80, stroke: `rgb(${mark.color})`, "stroke-dasharray": "3 3" });
    }
    for (const series of plot.series) {
      const d = path(series.values, height);
      drawn(svg, "path", { d, fill: "none", stroke: `rgb(${series.color})`, "stroke-width": 1.8 });
    }
    drawn(svg, "text", { x: 310, y: 8, "text-anchor": "end" }).textContent = short(high);
    const cursor = drawn(svg, "line", { y1: 2, y2: 82, stroke: "#1d2330" });
    const seek = (event) => {
      if (!(event.buttons & 1)) return;
      const box = svg.getBoundingClientRect();
      play(false);
      go(view.times[0] + ((event.clientX - box.left) / box.width) * (view.times.at(-1) - view.times[0]));
    };
    svg.addEventListener("pointerdown", seek);
    svg.addEventListener("pointermove", seek);
    return (time, row) => {
      cursor.setAttribute("x1", 310 * share(time));
      cursor.setAttribute("x2", 310 * share(time));
      plot.series.forEach((series, i) => {
        const value = series.values[row];
        values[i].textContent = value === null ? "-" : short(value);
      });
    };
  }

  function short(value) {
    return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(1) : value.toPrecision(3);
  }

  function path(values, height) {
    let text = "", pen = "M";
    values.forEach((value, i) => {
      if (value === null) { pen = "M"; return; }
      text += `${pen}${(310 * share(view.times[i])).toFixed(2)} ${height(value).toFixed(2)}`;
      pen = "L";
    });
    return text;
  }

  function drawn(parent, tag, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return parent.appendChild(element);
  }
})();
