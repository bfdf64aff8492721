// Draws the report: {runs: [{name, config, summary, metrics}], graph}. What no run has is not shown.
'use strict';

const { graph } = data;

const phases = [
  { key: 'seconds_compute', name: 'gradients', colour: 'hsl(208, 32%, 62%)' },
  { key: 'seconds_encode', name: 'encoding', colour: 'hsl(172, 26%, 58%)' },
  { key: 'seconds_wait', name: 'waiting', colour: 'hsl(42, 48%, 68%)' },
  { key: 'seconds_decode', name: 'decoding', colour: 'hsl(268, 26%, 70%)' },
  { key: 'seconds_mix', name: 'mixing', colour: 'hsl(350, 34%, 70%)' },
];

// A bar per run, as long as its time is against the longest.
function drawTime() {
  const timed = runs.map((run) => {
    const parts = phases.map((phase) => ({ ...phase, spent: final(run, phase.key) })).filter(({ spent }) => spent > 0);
    return { run, parts, total: parts.reduce((sum, { spent }) => sum + spent, 0) };
  }).filter(({ total }) => total > 0);
  if (timed.length === 0) return find('#time').remove();
  const longest = Math.max(...timed.map(({ total }) => total));

  const used = phases.filter(({ key }) => timed.some(({ parts }) => parts.some((part) => part.key === key)));
  find('#time .keys').append(...used.map(({ name, colour }) => element('span', {}, swatch(colour), name)));
  find('.bars').append(...timed.map(({ run, parts, total }) => {
    const bar = element('div', { className: 'bar' }, ...parts.map(({ name, colour, spent }) => {
      const share = percent(spent / total);
      const hasRoom = spent / longest > 0.07;
      const part = element('div', { title: `${name}: ${seconds(spent)}, ${share}` }, hasRoom ? share : '');
      part.style.flexGrow = spent / total;
      part.style.background = colour;
      return part;
    }));
    bar.style.width = percent(total / longest).replace(' ', '');
    const label = element('div', { className: 'bar-label' },
      element('span', {}, run.name), element('span', {}, seconds(total)));
    return element('div', {}, label, bar);
  }));
}

// Nodes on a circle, node 0 on top, named where there is room. The markup holds numbers only.
function graphMarkup({ nodes, edges }) {
  const all = Array.from({ length: nodes }, (_, node) => {
    const turn = node / nodes;
    const [x, y] = [Math.sin(2 * Math.PI * turn), -Math.cos(2 * Math.PI * turn)];
    return { node, turn, at: (radius) => [(radius * x).toFixed(2), (radius * y).toFixed(2)] };
  });
  const areNamed = nodes <= 128;
  const room = (2 * Math.PI * 100) / nodes;
  const width = areNamed ? Math.max(0.25, Math.min(1, 60 / edges.length)) : 0.1;
  const lines = edges.map(([a, b]) => `M${all[a].at(100)}L${all[b].at(100)}`);
  const dots = all.map(({ at }) => {
    const [x, y] = at(100);
    return `<circle cx="${x}" cy="${y}" r="${Math.min(4, room * 0.36).toFixed(2)}"/>`;
  });
  const names = (areNamed ? all : []).map(({ node, turn, at }) => {
    const [x, y] = at(112);
    // Where they stand close, names point outwards, and none stands on its head.
    const angle = nodes > 32 ? 360 * turn + (turn < 0.5 ? -90 : 90) : 0;
    const size = Math.min(8, room * 0.75).toFixed(2);
    return `<text x="${x}" y="${y}" font-size="${size}" transform="rotate(${angle} ${x} ${y})">${node}</text>`;
  });
  return `<path stroke-width="${width}" d="${lines.join('')}"/>${dots.join('')}${names.join('')}`;
}

function drawGraph() {
  if (!graph) return find('#topology').remove();
  const { topology, nodes, edges, edge_count, least_neighbours, most_neighbours } = graph;
  const neighbours = least_neighbours === most_neighbours
    ? count(most_neighbours)
    : `${count(least_neighbours)} to ${count(most_neighbours)}, ${count((2 * edge_count) / nodes)} on average`;
  const figures = { Graph: topology, Nodes: count(nodes), Edges: count(edge_count), 'Neighbours per node': neighbours };
  find('dl').append(...Object.entries(figures).flatMap(([name, value]) =>
    [element('dt', {}, name), element('dd', {}, value)]));
  if (!edges) return find('svg').remove();
  find('svg').setAttribute('aria-label', `${topology}: ${nodes} nodes, ${edge_count} edges`);
  find('svg').innerHTML = graphMarkup(graph);
}

// What has a colour that depends on the reader's scheme.
function drawColoured() {
  drawTable();
  drawCurves();
}

makeCurves();
drawColoured();
drawNotes();
drawTime();
drawGraph();
drawConfigurations();
darkScheme.addEventListener('change', drawColoured);
