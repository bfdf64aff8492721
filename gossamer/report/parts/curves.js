// Curves of what the runs reported: against what the reader chooses, or as the page's `plots` say.
'use strict';

const axes = [
  { key: 'round', name: 'rounds', title: 'rounds', format: (value) => `${count(value)} rounds`, tick: count },
  { key: 'epoch', name: 'epochs', title: 'epochs', format: (value) => `${count(value)} epochs`, tick: count },
  { key: 'seconds', name: 'seconds', title: 'seconds', format: seconds, tick: tickSeconds },
  { key: 'bytes_sent_per_node', name: 'bytes', title: 'bytes sent per node', format: bytes, tick: bytes },
];
// As papers count what is sent: without headers.
const bitsOf = (value) => bits(8 * value);
const bitsAxis = {
  key: 'payload_bytes_per_node', name: 'bits', title: 'bits sent per node', format: bitsOf, tick: bitsOf,
};

// `log` is whether the vertical axis is logarithmic; where it is undefined, that would make no sense.
const quantities = [
  {
    title: 'Accuracy on test data',
    lines: {
      test_accuracy_mean_model: 'averaged model',
      test_accuracy_nodes_mean: 'mean of nodes',
      test_accuracy_nodes_worst: 'worst node',
      own_test_accuracy: 'own model',
    },
    format: percent,
    tick: tickPercent,
  },
  {
    title: 'Perplexity on test data',
    lines: {
      perplexity_mean_model: 'averaged model',
      perplexity_nodes_mean: 'mean of nodes',
      own_perplexity: 'own model',
    },
    log: false,
  },
  { title: 'Loss', lines: { train_loss: 'training', test_loss: 'test', own_test_loss: 'test, own model' }, log: false },
  { title: 'Suboptimality', lines: { suboptimality: '', own_suboptimality: 'own model' }, log: true },
  { title: 'Objective', lines: { objective: '', own_objective: 'own model' }, log: false },
  { title: 'Consensus error', lines: { error: '' }, log: true },
  { title: 'Consensus distance', lines: { consensus_distance: '' }, log: true },
  { title: 'Drift of the mean', lines: { mean_drift: '' }, log: true },
];

const strokes = [
  { css: 'solid', dash: [], width: 2, opacity: 1 },
  { css: 'dashed', dash: [7, 4], width: 1.5, opacity: 0.7 },
  { css: 'dotted', dash: [2, 3], width: 1.5, opacity: 0.7 },
];

const reports = (key, holds = isNumber) => runs.some((run) => run.metrics.some((row) => holds(row[key])));
const shownAxes = axes.filter(({ key }) => reports(key));

// A plot {x, y, log, title, runs} shows one line of a quantity for each of its runs, or of all.
function plotted({ x, y, log, title, runs: names }) {
  const quantity = quantities.find(({ lines }) => y in lines) ?? { title: y };
  const about = quantity.lines?.[y] ? `${quantity.title}, ${quantity.lines[y]}` : quantity.title;
  const axis = [...axes, bitsAxis].find(({ key }) => key === x);
  return { ...quantity, title: title ?? about, lines: { [y]: '' }, axis, names, log };
}

const wantedQuantities = data.plots?.map(plotted) ?? quantities;
const shownQuantities = (shownAxes.length > 0 ? wantedQuantities : [])
  .map((quantity) => ({
    format: plain, tick: tickPlain, ...quantity, keys: Object.keys(quantity.lines).filter((key) => reports(key)),
  }))
  .filter(({ keys }) => keys.length > 0);

// What the reader has switched.
const view = { axis: shownAxes[0], isLog: false, hidden: new Set() };
const axisOf = (quantity) => quantity.axis ?? view.axis;

function pointsOf(run, key, quantity) {
  const { log } = quantity;
  return run.metrics
    .map((row) => ({ x: row[axisOf(quantity).key], y: row[key] }))
    .filter(({ x, y }) => isNumber(x) && isNumber(y) && (!view.isLog || x > 0) && (!log || y > 0));
}

function datasetsOf(quantity) {
  const isDrawn = (run) => !quantity.names || quantity.names.includes(run.name);
  return runs.flatMap((run, index) => (isDrawn(run) ? quantity.keys : []).map((key, line) => {
    const { dash, width, opacity } = strokes[line];
    const data = pointsOf(run, key, quantity);
    return {
      label: quantity.keys.length > 1 ? `${run.name}, ${quantity.lines[key]}` : run.name,
      data,
      hidden: view.hidden.has(run),
      borderColor: colourOf(index, opacity),
      backgroundColor: colourOf(index),
      borderDash: dash,
      borderWidth: width,
      pointRadius: data.length < 25 && line === 0 ? 2.5 : 0,
      pointHoverRadius: 4,
      clip: 8,
    };
  }));
}

// The more decades an axis has, the fewer of its numbers have room for a name.
function logTick(format, value, ticks) {
  const decades = Math.log10(ticks.at(-1).value / ticks[0].value);
  const leading = Number(value.toExponential().split('e')[0]);
  const named = decades > 2 ? [1] : decades > 1 ? [1, 3] : [1, 2, 3, 5, 7];
  return named.includes(leading) ? format(value) : null;
}

function scalesOf(quantity, datasets) {
  const { log, tick } = quantity;
  const axis = axisOf(quantity);
  const grid = { color: variable('--line'), borderColor: variable('--line'), tickLength: 4 };
  const scale = (isLog, format, ticks) => ({
    type: isLog ? 'logarithmic' : 'linear',
    grid,
    ticks: {
      color: variable('--quiet'),
      maxRotation: 0,
      ...(isLog
        ? { callback: (value, _, all) => logTick(format, value, all) }
        : { callback: format, maxTicksLimit: 7, ...ticks }),
    },
  });
  // The horizontal axis ends with the longest run that is shown, not with the next round number.
  const end = datasets.filter(({ hidden }) => !hidden).flatMap(({ data }) => data)
    .reduce((most, { x }) => Math.max(most, x), 0);
  return {
    x: {
      ...scale(view.isLog, axis.tick, { includeBounds: false }),
      min: view.isLog ? undefined : 0,
      max: end || undefined,
      title: { display: true, text: axis.title, color: variable('--quiet') },
    },
    y: scale(log, tick, {}),
  };
}

function redraw(quantity) {
  const datasets = datasetsOf(quantity);
  quantity.chart.data = { datasets };
  quantity.chart.options = {
    animation: false,
    maintainAspectRatio: false,
    interaction: { mode: 'nearest', axis: 'x', intersect: false },
    scales: scalesOf(quantity, datasets),
    plugins: {
      legend: { display: false },
      tooltip: {
        callbacks: {
          title: ([item]) => (item ? axisOf(quantity).format(item.parsed.x) : ''),
          label: (item) => ` ${item.dataset.label}: ${quantity.format(item.parsed.y)}`,
        },
      },
    },
  };
  quantity.chart.update('none');
}

// A button that is pressed or not, and changes the curves of some quantities. Pressing one may release those beside it.
function toggle({ className = '', changes = shownQuantities, isPressed, press }, ...children) {
  const button = element('button', { type: 'button', className }, ...children);
  button.showState = () => button.setAttribute('aria-pressed', isPressed());
  button.addEventListener('click', () => {
    press();
    changes.forEach(redraw);
    for (const sibling of button.parentElement.children) sibling.showState?.();
  });
  button.showState();
  return button;
}

function keyTo(quantity) {
  return element('span', { className: 'keys' }, ...quantity.keys.map((key, line) => {
    const stroke = element('span', { className: 'stroke' });
    stroke.style.borderTopStyle = strokes[line].css;
    return element('span', {}, stroke, quantity.lines[key]);
  }));
}

function makeChart(quantity) {
  const caption = element('figcaption', {}, element('h3', {}, quantity.title));
  if (quantity.keys.length > 1) caption.append(keyTo(quantity));
  if (!quantity.keys.some((key) => reports(key, (value) => value > 0))) quantity.log = undefined;
  if (quantity.log !== undefined) {
    const press = () => { quantity.log = !quantity.log; };
    caption.append(toggle({ className: 'log', changes: [quantity], isPressed: () => quantity.log, press }, 'log'));
  }
  const canvas = element('canvas', {});
  find('.charts').append(element('figure', {}, caption, element('div', { className: 'canvas' }, canvas)));
  quantity.chart = new Chart(canvas, { type: 'line', data: { datasets: [] }, options: { animation: false } });
}

function makeCurves() {
  if (shownQuantities.length === 0) return find('#curves').remove();
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  // Plots come with axes of their own.
  find('.axes').append(...(data.plots ? [] : shownAxes).map((axis) => {
    const press = () => { view.axis = axis; };
    return toggle({ isPressed: () => view.axis === axis, press }, axis.name);
  }));
  const press = () => { view.isLog = !view.isLog; };
  find('.axes').append(toggle({ className: 'log', isPressed: () => view.isLog, press }, data.plots ? 'log x' : 'log'));
  shownQuantities.forEach(makeChart);
}

function drawLegend() {
  find('.legend').replaceChildren(...runs.map((run, index) => {
    const press = () => {
      if (!view.hidden.delete(run)) view.hidden.add(run);
    };
    return toggle({ isPressed: () => !view.hidden.has(run), press }, swatch(colourOf(index)), run.name);
  }));
}

function drawCurves() {
  if (shownQuantities.length === 0) return;
  if (runs.length > 1) drawLegend();
  shownQuantities.forEach(redraw);
}
