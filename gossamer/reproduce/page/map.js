// Maps of a grid {metric, columns, rows, methods, values}: who is best where, and how each method does everywhere. A column and a
// row are {key, values}; values are by method, row and column, null where a run diverged, and the smallest is best.
'use strict';

const closeRace = 1.05; // whoever is ahead by less has not won

const settingOf = ({ key }) => key.split('.').at(-1);
// Side by side numbers are compared, so that all have one unit.
const inSeconds = (value) => `${Number(value.toPrecision(3)).toLocaleString('en')} s`;
const formatOf = (metric) => (metric === 'seconds' ? inSeconds : metric.includes('bytes') ? bytes : plain);

function range(length) {
  return Array.from({ length }, (_, index) => index);
}

// Methods with their values in one cell, the best first.
function ranking(row, column) {
  const { methods, values } = data.grid;
  return range(methods.length).map((method) => ({ method, value: values[method][row][column] }))
    .filter(({ value }) => isNumber(value)).sort((a, b) => a.value - b.value);
}

// A table with one cell for each pair of settings.
function mapTable(cellAt) {
  const { columns, rows } = data.grid;
  const corner = element('th', { className: 'corner' }, `${settingOf(columns)} →`, element('br'), `${settingOf(rows)} ↓`);
  const head = element('tr', {}, corner, ...columns.values.map((value) => element('th', {}, value)));
  const body = rows.values.map((value, row) => element('tr', {}, element('th', {}, value),
    ...columns.values.map((_, column) => cellAt(row, column))));
  return element('div', { className: 'scroll' }, element('table', { className: 'map' },
    element('thead', {}, head), element('tbody', {}, ...body)));
}

function mapCell(colour, ...content) {
  const cell = element('td', {}, ...content);
  if (colour) cell.style.background = colour;
  return cell;
}

// The stronger its colour, the farther is the winner ahead of the next.
function winnerCell(row, column) {
  const { methods } = data.grid;
  const [best, next] = ranking(row, column);
  if (!best) return mapCell(undefined, '–');
  const lead = next ? next.value / best.value : Infinity;
  const close = ranking(row, column).filter(({ value }) => value < best.value * closeRace);
  if (close.length > 1) {
    const names = close.map(({ method }) => methods[method]).join(', ');
    return mapCell(undefined, element('span', { className: 'close' }, `no winner: ${names}`));
  }
  const strength = 0.15 + 0.5 * Math.min(1, Math.log(lead) / Math.log(4));
  return mapCell(colourOf(best.method, strength), element('strong', {}, methods[best.method]),
    element('span', { className: 'lead' }, next ? `${lead.toPrecision(2)} × ahead` : 'alone'));
}

function extent() {
  const all = data.grid.values.flat(2).filter(isNumber);
  return [Math.log(Math.min(...all)), Math.log(Math.max(...all))];
}

// All methods share one scale, which is logarithmic.
function valueCell(method, row, column) {
  const value = data.grid.values[method][row][column];
  if (!isNumber(value)) return mapCell(undefined, 'diverged');
  const [low, high] = extent();
  const heat = high > low ? (Math.log(value) - low) / (high - low) : 0;
  return mapCell(`hsla(12, 85%, 50%, ${(0.04 + 0.66 * heat).toFixed(3)})`, formatOf(data.grid.metric)(value));
}

function drawMap() {
  const { methods, metric } = data.grid;
  const each = methods.map((name, method) => element('figure', { className: 'method-map' },
    element('h3', {}, swatch(colourOf(method)), name), mapTable((row, column) => valueCell(method, row, column))));
  find('#map').replaceChildren(element('h2', {}, 'Who wins where'), mapTable(winnerCell),
    element('h2', { className: 'each' }, `${metric[0].toUpperCase()}${metric.slice(1).replaceAll('_', ' ')} of each`),
    element('div', { className: 'maps' }, ...each));
}

// Curves and figures of every cell would bury what the maps show.
function showMapInsteadOfRuns() {
  const { columns, rows } = data.grid;
  find('#map').hidden = false;
  for (const section of ['#curves', '#runs']) find(section).hidden = true;
  find('#configuration').append(element('p', {}, `Settings of the first cell; in the others ${columns.key} and ${rows.key} differ.`));
}
