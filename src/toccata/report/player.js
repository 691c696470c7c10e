// The player shows views in files, reports and served pages. _page.py writes its elements, _pack.py
// its data. WebGL draws bodies, lines and many points. A canvas above shows arrows, few points and
// labels, by the same rules as the stills (_still.py, _draw.py, _shade.py).
"use strict";
{
  const FIELD_OF_VIEW = 26 * Math.PI / 180, ASPECT = 4 / 3;  // as in _camera.py
  const NORMAL_LENGTH = 0.1, MOST_ON_TOP = 60;               // as in _draw.py and _still.py
  const MOST_RUNNING = 6;  // players that draw at the same time; browsers limit the contexts of WebGL
  const running = [];

  // Vectors ------------------------------------------------------------------------------------

  const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [
    a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const length = (a) => Math.hypot(...a);
  const unit = (a) => { const n = length(a) || 1; return a.map((x) => x / n); };
  const mix = (a, b, s) => a.map((x, i) => x + s * (b[i] - x));

  /** Return a vector rotated about a unit axis. */
  function turned(v, axis, angle) {
    const c = Math.cos(angle), s = Math.sin(angle);
    return add(add(v.map((x) => c * x), cross(axis, v), s), axis, (1 - c) * dot(axis, v));
  }

  /** Return the columns of the rotation of a unit quaternion, real part first. */
  function rotation([w, x, y, z]) {
    return [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
            2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
            2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
  }

  // Shaders ------------------------------------------------------------------------------------

  const CAMERA = `#version 300 es
    precision highp float;
    uniform mat3 axes; uniform vec3 eye; uniform vec4 lens;  // rows right, down, forward
    vec4 seen(vec3 local) {
      return vec4(lens.x * local.x, -lens.y * local.y, lens.z * local.z + lens.w, local.z);
    }`;
  const SHADERS = {
    body: [`${CAMERA}
      uniform mat3 turn; uniform vec3 place;
      layout(location = 0) in vec3 vertex; layout(location = 1) in vec3 normal;
      out vec3 bent, local;
      void main() {
        local = (turn * vertex + place - eye) * axes;
        bent = (turn * normal) * axes;
        gl_Position = seen(local);
      }`, `#version 300 es
      precision highp float;
      uniform vec3 color, up; uniform float opacity;
      in vec3 bent, local; out vec4 pixel;
      const vec3 key = normalize(vec3(-.55, -.75, -.65)), fill = normalize(vec3(.6, .65, -.5));
      void main() {
        vec3 n = normalize(bent);
        if (dot(n, local) > 0.) n = -n;
        vec3 light = mix(vec3(.32, .29, .28), vec3(.42, .44, .48), .5 + .5 * dot(n, up));
        light += max(dot(n, key), 0.) * vec3(.88, .85, .80) + max(dot(n, fill), 0.) * vec3(.36, .35, .36);
        light *= 1. - .2 * (1. + min(n.z, 0.));
        float gloss = .16 * pow(max(dot(n, normalize(key + vec3(0., 0., -1.))), 0.), 42.);
        vec3 lit = pow(color, vec3(2.2)) * light + gloss;
        pixel = vec4(pow(clamp(lit, 0., 1.), vec3(1. / 2.2)), 1.) * opacity;
      }`],
    lines: [`${CAMERA}
      uniform vec2 view; uniform float size, least;
      layout(location = 0) in vec3 here; layout(location = 1) in vec3 there;
      layout(location = 2) in float side;
      void main() {
        vec3 a = (here - eye) * axes, b = (there - eye) * axes;
        vec2 way = normalize((b.xy / b.z - a.xy / a.z) + 1e-9);
        float width = max(size * lens.y * view.y / 2. / a.z, least);
        vec4 at = seen(a * .9995);
        gl_Position = at + vec4(vec2(-way.y, -way.x) * side * width / view * at.w, 0., 0.);
      }`, `#version 300 es
      precision highp float;
      uniform vec3 color; out vec4 pixel;
      void main() { pixel = vec4(color, 1.); }`],
    points: [`${CAMERA}
      uniform vec2 view; uniform float size, least;
      layout(location = 0) in vec3 vertex;
      void main() {
        vec3 local = (vertex - eye) * axes;
        gl_Position = seen(local * .995);
        gl_PointSize = clamp(size * lens.y * view.y / 2. / local.z, least, 3. * least);
      }`, `#version 300 es
      precision highp float;
      uniform vec3 color; out vec4 pixel;
      void main() {
        float r = 2. * length(gl_PointCoord - .5);
        if (r > 1.) discard;
        pixel = vec4(r > .7 ? vec3(.13, .15, .18) : color, 1.);
      }`],
  };

  function program(gl, [vertex, fragment]) {
    const made = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    const uniforms = {};
    for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); ++i) {
      const { name } = gl.getActiveUniform(made, i);
      uniforms[name] = gl.getUniformLocation(made, name);
    }
    return { made, uniforms };
  }

  // Drawing ------------------------------------------------------------------------------------

  /** Draws the items of a view at a row from a camera. */
  class Scene {
    constructor(view, bytes, canvas, above) {
      Object.assign(this, { view, bytes, canvas, above });
      const gl = this.gl = canvas.getContext("webgl2", { antialias: true });
      if (!gl) throw new Error("no WebGL");
      this.programs = Object.fromEntries(
        Object.entries(SHADERS).map(([name, sources]) => [name, program(gl, sources)]));
      this.meshes = view.meshes.map((mesh) => this.mesh(mesh));
      this.buffers = new Map();
    }

    /** Return an array at a row. An array with a single row is valid at all rows. */
    numbers([kind, offset, width, rows], row = 0) {
      const Kind = { f: Float32Array, b: Uint8Array, i: Uint32Array }[kind];
      const at = offset + (rows > 1 ? row : 0) * width * Kind.BYTES_PER_ELEMENT;
      return new Kind(this.bytes, at, width);
    }

    mesh(given) {
      const { gl } = this, faces = this.numbers(given.faces);
      const mesh = { given, faces, count: faces.length, row: -1, array: gl.createVertexArray() };
      gl.bindVertexArray(mesh.array);
      mesh.vertices = this.attribute(0, 3);
      mesh.normals = this.attribute(1, 3);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, faces, gl.STATIC_DRAW);
      gl.bindVertexArray(null);
      return mesh;
    }

    attribute(place, width, stride = 0, offset = 0, buffer = this.gl.createBuffer()) {
      const { gl } = this;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, width, gl.FLOAT, false, stride, offset);
      return buffer;
    }

    fill(buffer, values) {
      this.gl.bindBuffer(this.gl.ARRAY_BUFFER, buffer);
      this.gl.bufferData(this.gl.ARRAY_BUFFER, values, this.gl.DYNAMIC_DRAW);
    }

    /** Load the vertices of a row. Normals are means over the surrounding faces. */
    load(mesh, row) {
      const own = mesh.given.vertices[3] > 1 ? row : 0;
      if (mesh.row === own) return;
      mesh.row = own;
      const v = this.numbers(mesh.given.vertices, own), normals = new Float32Array(v.length);
      for (let i = 0; i < mesh.count; i += 3) {
        const [a, b, c] = [3 * mesh.faces[i], 3 * mesh.faces[i + 1], 3 * mesh.faces[i + 2]];
        const ux = v[b] - v[a], uy = v[b + 1] - v[a + 1], uz = v[b + 2] - v[a + 2];
        const wx = v[c] - v[a], wy = v[c + 1] - v[a + 1], wz = v[c + 2] - v[a + 2];
        const nx = uy * wz - uz * wy, ny = uz * wx - ux * wz, nz = ux * wy - uy * wx;
        for (const k of [a, b, c]) { normals[k] += nx; normals[k + 1] += ny; normals[k + 2] += nz; }
      }
      for (let i = 0; i < normals.length; i += 3) {  // normals of tiny faces would vanish in the shader
        const n = Math.hypot(normals[i], normals[i + 1], normals[i + 2]) || 1;
        normals[i] /= n; normals[i + 1] /= n; normals[i + 2] /= n;
      }
      this.fill(mesh.vertices, v);
      this.fill(mesh.normals, normals);
    }

    draw(row, camera, close) {
      const { gl, canvas } = this;
      const dense = devicePixelRatio || 1;
      const size = [canvas.clientWidth, canvas.clientHeight].map((x) => Math.round(x * dense) || 1);
      for (const each of [canvas, this.above]) {
        if (each.width !== size[0] || each.height !== size[1]) [each.width, each.height] = size;
      }
      this.look(camera, size);
      gl.viewport(0, 0, ...size);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.depthFunc(gl.LEQUAL);
      const shown = this.view.items
        .filter((item) => row >= item.first && row < item.first + item.count && !(close && item.ghost))
        .map((item) => ({ item, own: row - item.first }));
      const bodies = shown.filter(({ item }) => item.kind === "body");
      for (const { item, own } of bodies) if (item.opacity >= 1) this.body(item, own);
      for (const { item, own } of shown) {
        if (item.kind === "lines") this.lines(item, own);
        if (item.kind === "points" && item.at[2] / 3 > MOST_ON_TOP) this.points(item, own);
      }
      this.veils(bodies.filter(({ item }) => item.opacity < 1));
      this.marks(shown, dense);
    }

    look(camera, [width, height]) {
      const back = add(camera.position, camera.target, -1), distance = length(back) || 1;
      const forward = unit(back).map((x) => -x), right = unit(cross(forward, camera.up));
      const down = cross(forward, right);
      const tangent = Math.tan(FIELD_OF_VIEW / 2) * Math.max(1, ASPECT * height / width);
      const near = 0.01 * distance, far = 200 * distance;
      this.camera = {
        eye: camera.position, rows: [right, down, forward], distance, size: [width, height],
        focal: height / 2 / tangent,
        axes: [...right, ...down, ...forward],
        lens: [height / width / tangent, 1 / tangent, (far + near) / (far - near), -2 * far * near / (far - near)],
      };
    }

    use(name) {
      const { gl } = this, { made, uniforms } = this.programs[name];
      gl.useProgram(made);
      gl.uniformMatrix3fv(uniforms.axes, false, this.camera.axes);
      gl.uniform3fv(uniforms.eye, this.camera.eye);
      gl.uniform4fv(uniforms.lens, this.camera.lens);
      return uniforms;
    }

    color(item, own) {
      return [...this.numbers(item.color, own)];
    }

    body(item, own) {
      const { gl } = this, mesh = this.meshes[item.mesh];
      if (!mesh.count) return;
      this.load(mesh, own);
      const uniforms = this.use("body");
      gl.uniformMatrix3fv(uniforms.turn, false, rotation(this.numbers(item.turn, own)));
      gl.uniform3fv(uniforms.place, this.numbers(item.at, own));
      gl.uniform3fv(uniforms.color, this.color(item, own).map((x) => x / 255));
      gl.uniform3fv(uniforms.up, this.camera.rows.map((axis) => axis[2]));
      gl.uniform1f(uniforms.opacity, item.opacity);
      gl.bindVertexArray(mesh.array);
      gl.drawElements(gl.TRIANGLES, mesh.count, gl.UNSIGNED_INT, 0);
      gl.bindVertexArray(null);
    }

    /** Draw the front surfaces of transparent bodies, in order of decreasing distance. */
    veils(bodies) {
      const { gl } = this;
      const depth = ({ item, own }) =>
        dot(add([...this.numbers(item.at, own)], this.camera.eye, -1), this.camera.rows[2]);
      bodies.sort((a, b) => a.item.ghost - b.item.ghost || depth(b) - depth(a));
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(1, 2);  // behind coincident surfaces of solid bodies
      for (const { item, own } of bodies) {
        gl.colorMask(false, false, false, false);
        this.body(item, own);
        gl.colorMask(true, true, true, true);
        this.body(item, own);
      }
      gl.disable(gl.POLYGON_OFFSET_FILL);
      gl.disable(gl.BLEND);
    }

    /** Bind the buffer of an item, and fill it if the row has changed. */
    buffer(item, own, build, attributes) {
      let known = this.buffers.get(item);
      if (!known) {
        known = { row: -1, array: this.gl.createVertexArray(), buffer: this.gl.createBuffer() };
        this.gl.bindVertexArray(known.array);
        attributes(known.buffer);
        this.buffers.set(item, known);
      }
      const row = item.at[3] > 1 ? own : 0;
      if (known.row !== row) this.fill(known.buffer, build(this.numbers(item.at, row)));
      known.row = row;
      this.gl.bindVertexArray(known.array);
    }

    lines(item, own) {
      const { gl } = this, [width, height] = this.camera.size;
      this.buffer(item, own, quads, (buffer) => {
        [[0, 3, 0], [1, 3, 12], [2, 1, 24]].forEach(([i, n, at]) => this.attribute(i, n, 28, at, buffer));
      });
      const uniforms = this.use("lines");
      gl.uniform2f(uniforms.view, width, height);
      gl.uniform1f(uniforms.size, item.size);
      gl.uniform1f(uniforms.least, 1.4 * Math.max(1, height / 480));
      gl.uniform3fv(uniforms.color, this.color(item, own).map((x) => x / 255));
      gl.drawArrays(gl.TRIANGLES, 0, item.at[2]);
      gl.bindVertexArray(null);
    }

    points(item, own) {
      const { gl } = this, [width, height] = this.camera.size;
      this.buffer(item, own, (values) => values, (buffer) => this.attribute(0, 3, 0, 0, buffer));
      const uniforms = this.use("points");
      gl.uniform2f(uniforms.view, width, height);
      gl.uniform1f(uniforms.size, item.size);
      gl.uniform1f(uniforms.least, 5 * Math.max(1, height / 480));
      gl.uniform3fv(uniforms.color, this.color(item, own).map((x) => x / 255));
      gl.drawArrays(gl.POINTS, 0, item.at[2] / 3);
      gl.bindVertexArray(null);
    }

    project(point) {
      const { eye, rows, focal, size } = this.camera;
      const [x, y, z] = rows.map((axis) => dot(axis, add(point, eye, -1)));
      return { x: size[0] / 2 + focal * x / z, y: size[1] / 2 + focal * y / z, z };
    }

    /** Draw arrows, few points and labels above everything. */
    marks(shown, dense) {
      const pen = this.above.getContext("2d"), scale = Math.max(dense, this.camera.size[1] / 480);
      pen.clearRect(0, 0, this.above.width, this.above.height);
      pen.lineCap = pen.lineJoin = "round";
      const rank = { arrows: 0, points: 1, label: 2 };
      const order = shown.filter(({ item }) => item.kind in rank);
      order.sort((a, b) => rank[a.item.kind] - rank[b.item.kind]);
      for (const { item, own } of order) {
        const at = this.numbers(item.at, own);
        const color = `rgb(${this.color(item, own)})`;
        if (item.kind === "label") this.word(pen, item.text, at, scale);
        else if (item.kind === "arrows") {
          for (let i = 0; i < at.length; i += 6) this.arrow(pen, at.subarray(i, i + 6), scale);
        } else if (at.length / 3 <= MOST_ON_TOP) {
          for (let i = 0; i < at.length; i += 3) this.spot(pen, item, at.subarray(i, i + 3), color, scale);
        }
      }
    }

    spot(pen, item, at, color, scale) {
      const { x, y, z } = this.project([...at]);
      if (z <= 0) return;
      const radius = Math.min(Math.max(item.size * this.camera.focal / z / 2, 4 * scale), 6 * scale);
      for (const [r, fill] of [[1.25 * radius + 0.5 * scale, "#21262f"], [radius, color]]) {
        pen.beginPath();
        pen.arc(x, y, r, 0, 2 * Math.PI);
        pen.fillStyle = fill;
        pen.fill();
      }
    }

    arrow(pen, at, scale) {
      const start = [...at.subarray(0, 3)], way = add([...at.subarray(3)], start, -1);
      const from = this.project(start), long = length(way);
      if (from.z <= 0 || !long) return;
      const least = NORMAL_LENGTH * this.camera.size[1] * from.z / this.camera.focal;
      const to = this.project(add(start, way, Math.max(1, least / long)));
      const [dx, dy] = [to.x - from.x, to.y - from.y], flat = Math.hypot(dx, dy) || 1;
      const head = Math.min(9 * scale, 0.6 * flat) / flat;
      for (const [width, color] of [[6, "#fff"], [3, "#21262f"]]) {
        pen.beginPath();
        pen.moveTo(from.x, from.y);
        pen.lineTo(to.x, to.y);
        for (const side of [-0.7, 0.7]) {
          pen.moveTo(to.x, to.y);
          pen.lineTo(to.x - head * (dx - side * dy), to.y - head * (dy + side * dx));
        }
        pen.lineWidth = width * scale;
        pen.strokeStyle = color;
        pen.stroke();
      }
    }

    word(pen, text, at, scale) {
      const { x, y, z } = this.project([...at]);
      if (z <= 0) return;
      pen.font = `600 ${13 * scale}px system-ui, sans-serif`;
      pen.textAlign = "center";
      pen.lineWidth = 4 * scale;
      pen.strokeStyle = "rgba(255, 255, 255, .85)";
      pen.fillStyle = "#1d2330";
      const short = text.length > 40 ? `${text.slice(0, 37)}...` : text;
      pen.strokeText(short, x, y);
      pen.fillText(short, x, y);
    }

    release() {
      this.gl.getExtension("WEBGL_lose_context")?.loseContext();
    }
  }

  /** Return two triangles for each segment: here, there, and the side of the line. */
  function quads(ends) {
    const made = new Float32Array(ends.length / 6 * 6 * 7);
    let at = 0;
    for (let i = 0; i < ends.length; i += 6) {
      const a = ends.subarray(i, i + 3), b = ends.subarray(i + 3, i + 6);
      for (const [p, q, side] of [[a, b, 1], [a, b, -1], [b, a, 1], [a, b, 1], [b, a, -1], [b, a, 1]]) {
        made.set(p, at);
        made.set(q, at + 3);
        made[at + 6] = side;
        at += 7;
      }
    }
    return made;
  }

  // Player -------------------------------------------------------------------------------------

  async function unpacked(text) {
    const zipped = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  }

  class Player {
    constructor(element) {
      this.element = element;
      this.find = (name) => element.querySelector(name);
      this.all = (name) => [...element.querySelectorAll(name)];
      this.view = JSON.parse(this.find("script").textContent);
      this.state = { row: 0, time: this.view.times[0], playing: false, speed: 1, close: false };
      this.camera = this.view.camera;
      this.connect();
      this.go(this.view.times[0]);
    }

    /** Start to draw. Without WebGL, the still picture remains. */
    async start() {
      if (this.scene || this.starting) return;
      this.starting = true;
      try {
        this.bytes ??= await unpacked(this.view.data);
        const stage = this.find(".stage");
        const [canvas, above] = [0, 1].map(() => document.createElement("canvas"));
        stage.append(canvas, above);
        this.scene = new Scene(this.view, this.bytes, canvas, above);
        this.find(".poster").style.visibility = "hidden";
        this.resized = new ResizeObserver(() => this.redraw());
        this.resized.observe(stage);
        running.push(this);
        if (running.length > MOST_RUNNING) running.shift().stop();
      } catch (error) {
        this.all(".stage canvas").forEach((canvas) => canvas.remove());
        this.element.classList.add("flat");
        if (error.message !== "no WebGL") throw error;
      } finally {
        this.starting = false;
      }
      this.redraw();
    }

    stop() {
      this.play(false);
      this.resized.disconnect();
      this.scene.release();
      this.scene = null;
      this.all(".stage canvas").forEach((canvas) => canvas.remove());
      this.find(".poster").style.visibility = "";
    }

    redraw() {
      if (!this.scene || this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        this.scene?.draw(this.state.row, this.camera, this.state.close);
      });
    }

    // Time

    rowOf(time) {
      const { times } = this.view;
      let low = 0, high = times.length - 1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (times[middle] <= time) low = middle; else high = middle;
      }
      return time - times[low] <= times[high] - time ? low : high;
    }

    go(time) {
      const { times } = this.view, { state } = this;
      state.time = Math.min(Math.max(time, times[0]), times.at(-1));
      state.row = this.rowOf(state.time);
      const slider = this.find("input");
      if (slider) slider.value = state.time;
      const clock = this.find(".clock");
      if (clock) clock.textContent = this.written(state.time);
      this.showPlots();
      this.redraw();
    }

    written(time) {
      const { unit } = this.view;
      const decimals = { "": 4, s: 3, frame: 2 }[unit] ?? 3, scale = 10 ** decimals;
      const shown = (Math.floor(time * scale + 1e-6) / scale).toFixed(decimals);  // as View.clock
      return unit === "frame" ? `frame ${shown}` : unit ? `${shown} ${unit}` : `t = ${shown}`;
    }

    showPlots() {
      const { time } = this.state;
      this.all(".plot").forEach((plot, i) => {
        const svg = plot.querySelector("svg"), { begin, end, left, breadth } = svg.dataset;
        const share = (time - begin) / (end - begin || 1), now = svg.querySelector(".now");
        now.style.display = share < -1e-9 || share > 1 + 1e-9 ? "none" : "";
        now.setAttribute("transform", `translate(${share * breadth} 0)`);
        const { times, series } = this.view.plots[i];
        const row = times ? nearest(times, time) : this.state.row;
        plot.querySelectorAll("output").forEach((output, k) => {
          const value = series[k][row];
          output.textContent = value === null ? "\u2013" : short(value);
        });
      });
    }

    play(on) {
      const { state, view } = this;
      if (on && state.time >= view.times.at(-1)) this.go(view.times[0]);
      state.playing = on;
      state.last = performance.now();
      const button = this.find(".play");
      if (button) button.classList.toggle("playing", on);
      if (on) requestAnimationFrame((now) => this.tick(now));
    }

    tick(now) {
      const { state, view } = this;
      if (!state.playing) return;
      const whole = view.times.at(-1) - view.times[0];
      this.go(state.time + state.speed * whole * Math.max(now - state.last, 0) / 1000 / view.seconds);
      state.last = now;
      if (state.time >= view.times.at(-1)) this.play(false);
      else requestAnimationFrame((then) => this.tick(then));
    }

    // Camera

    /** Move the camera smoothly. Close-ups hide ghosts. */
    look(camera, close) {
      const from = this.camera, began = performance.now();
      this.state.close = close;
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 500;
      const step = (now) => {
        if (this.flight !== step) return;
        const t = Math.min(Math.max(now - began, 0) / calm, 1), s = t * t * (3 - 2 * t);
        const back = [from, camera].map((c) => add(c.position, c.target, -1));
        const far = length(back[0]) ** (1 - s) * length(back[1]) ** s;
        const target = mix(from.target, camera.target, s);
        const position = add(target, unit(mix(unit(back[0]), unit(back[1]), s)), far);
        this.camera = t < 1 ? { target, position, up: camera.up } : camera;
        this.redraw();
        if (t < 1) requestAnimationFrame(step);
      };
      this.flight = step;
      requestAnimationFrame(step);
    }

    jump(number) {
      this.play(false);
      this.start();
      const mark = this.view.marks[number];
      if (!mark) return this.look(this.view.camera, false);
      this.go(mark.time);
      this.look(mark.camera, true);
    }

    orbit(dx, dy) {
      const { position, target, up } = this.camera;
      let back = turned(add(position, target, -1), up, -dx);
      const right = unit(cross(up, back)), next = turned(back, right, -dy);
      if (Math.abs(dot(unit(next), up)) < 0.995) back = next;
      this.camera = { target, up, position: add(target, back) };
    }

    pan(dx, dy) {
      const { position, target, up } = this.camera, back = add(position, target, -1);
      const right = unit(cross(up, back)), above = unit(cross(back, right));
      const pixel = 2 * Math.tan(FIELD_OF_VIEW / 2) * length(back) / this.find(".stage").clientHeight;
      const shift = add(right.map((x) => -dx * pixel * x), above, dy * pixel);
      this.camera = { up, target: add(target, shift), position: add(position, shift) };
    }

    zoom(factor) {
      const { position, target, up } = this.camera;
      this.camera = { target, up, position: add(target, add(position, target, -1), factor) };
    }

    // Controls

    connect() {
      const slider = this.find("input"), speed = this.find(".speed"), jumps = this.find("select.jump");
      if (slider) slider.oninput = () => { this.start(); this.play(false); this.go(+slider.value); };
      if (speed) speed.onchange = () => { this.state.speed = +speed.value; };
      if (jumps) jumps.onchange = () => { if (jumps.value !== "") this.jump(+jumps.value); };
      for (const button of this.all("button.jump")) button.onclick = () => this.jump(+button.value);
      const play = this.find(".play");
      if (play) play.onclick = () => { this.start(); this.play(!this.state.playing); };
      this.connectStage(this.find(".stage"));
      this.all(".plot svg").forEach((svg) => {
        const seek = (event) => {
          if (!(event.buttons & 1)) return;
          const box = svg.getBoundingClientRect(), { begin, end, left, breadth } = svg.dataset;
          const x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
          this.play(false);
          this.go(+begin + Math.min(Math.max((x - left) / breadth, 0), 1) * (end - begin));
        };
        svg.onpointerdown = svg.onpointermove = seek;
      });
    }

    connectStage(stage) {
      const fingers = new Map();
      const spread = () => {
        const [a, b] = fingers.values();
        return Math.hypot(a.x - b.x, a.y - b.y);
      };
      stage.oncontextmenu = (event) => event.preventDefault();
      stage.ondblclick = () => this.jump(-1);
      stage.onpointerdown = (event) => {
        this.start();
        this.flight = null;
        stage.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      };
      stage.onpointermove = (event) => {
        const before = fingers.get(event.pointerId);
        if (!before) return;
        const apart = fingers.size > 1 ? spread() : 0;
        const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
        fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (apart) { this.zoom(apart / (spread() || 1)); this.pan(dx / 2, dy / 2); }
        else if (event.buttons & 6 || event.shiftKey) this.pan(dx, dy);
        else this.orbit(dx / 180, dy / 180);
        this.redraw();
      };
      stage.onpointerup = stage.onpointercancel = (event) => fingers.delete(event.pointerId);
      stage.addEventListener("wheel", (event) => {
        if (!this.scene || (!document.body.classList.contains("full") && !event.ctrlKey)) return;
        event.preventDefault();
        this.flight = null;
        this.zoom(Math.exp(Math.min(Math.max(event.deltaY, -120), 120) / 600));
        this.redraw();
      }, { passive: false });
    }
  }

  function nearest(times, time) {
    let best = 0;
    times.forEach((t, i) => { if (Math.abs(t - time) < Math.abs(times[best] - time)) best = i; });
    return best;
  }

  /** Return a number as text like _numbers.py. */
  function short(value) {
    const size = Math.abs(value);
    if (value === 0 || (size >= 1e-3 && size < 1e6)) return `${+value.toPrecision(3)}`;
    const [mantissa, exponent] = value.toExponential(1).split("e");
    const raised = [...`${+exponent}`].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
    return `${mantissa} × 10${raised.join("")}`;
  }

  const players = [...document.querySelectorAll(".player")].map((element) => new Player(element));
  window.toccataPlayers = players;
  const visible = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) players.find((one) => one.element.contains(entry.target)).start();
    }
  });
  for (const player of players) visible.observe(player.find(".stage"));
  addEventListener("keydown", (event) => {
    const at = event.target.closest?.(".player") ?? (players.length === 1 ? players[0].element : null);
    const player = players.find((one) => one.element === at);
    if (!player || player.view.times.length < 2 || ["INPUT", "SELECT"].includes(event.target.tagName)) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.code];
    if (event.code === "Space" && event.target.tagName !== "BUTTON") {
      player.play(!player.state.playing);
      event.preventDefault();
    } else if (step) {
      player.play(false);
      const last = player.view.times.length - 1;
      player.go(player.view.times[Math.min(Math.max(player.state.row + step, 0), last)]);
    }
  });
}
