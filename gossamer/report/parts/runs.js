// What was run: figures side by side, what went wrong, settings. What no run has is not shown.
'use strict';

// The last that a run said: in its summary, or in the last report that has it.
function final(run, key) {
  return run.summary[key] ?? run.metrics.findLast((row) => isNumber(row[key]))?.[key];
}

function compression(run) {
  const [dense, sent] = [final(run, 'dense_bytes_per_node'), final(run, 'bytes_sent_per_node')];
  return isNumber(dense) && sent > 0 ? dense / sent : undefined;
}

// Settings are shown where they tell runs apart, lengths also for a single run.
const columns = [
  { title: 'Algorithm', key: 'algorithm', isSetting: true },
  { title: 'Compressor', key: 'compressor', isSetting: true },
  { title: 'Topology', key: 'topology', isSetting: true },
  { title: 'Nodes', key: 'nodes', isSetting: true },
  { title: 'Seed', key: 'seed', isSetting: true },
  { title: 'Accuracy', key: 'test_accuracy_mean_model', format: percent, best: Math.max },
  { title: 'Perplexity', key: 'perplexity_mean_model', format: plain, best: Math.min },
  { title: 'Training loss', key: 'train_loss', format: plain, best: Math.min },
  { title: 'Test loss', key: 'test_loss', format: plain, best: Math.min },
  { title: 'Objective', key: 'objective', format: plain, best: Math.min },
  { title: 'Suboptimality', key: 'suboptimality', format: plain, best: Math.min },
  { title: 'Consensus error', key: 'error', format: plain, best: Math.min },
  { title: 'Consensus distance', key: 'consensus_distance', format: plain },
  { title: 'Rounds', key: 'round', format: count, isLength: true },
  { title: 'Epochs', key: 'epoch', format: count, isLength: true },
  { title: 'Sent per node', key: 'bytes_sent_per_node', format: bytes, best: Math.min },
  { title: 'Compression', value: compression, format: times, best: Math.max },
  { title: 'Time', key: 'seconds', format: seconds, best: Math.min },
].map((column) => ({ value: (run) => final(run, column.key), ...column }));

function isShown({ value, isSetting, isLength }) {
  const values = runs.map(value);
  if (isSetting || (isLength && runs.length > 1)) return new Set(values).size > 1;
  return values.some(isNumber);
}

function cell(run, { title, value, format = String, best, isSetting }) {
  const shown = value(run);
  const made = element('td', { className: isSetting ? 'text' : '' });
  made.textContent = isSetting || isNumber(shown) ? format(shown ?? '') : '–';
  made.dataset.label = title;
  if (best && isNumber(shown)) {
    // Runs that read the same are as good as each other, and one that failed is not good at all.
    const all = runs.filter(({ summary }) => !summary.failure).map(value).filter(isNumber);
    const differ = new Set(all.map(format)).size > 1;
    if (differ && !run.summary.failure && format(shown) === format(best(...all))) made.classList.add('best');
  }
  return made;
}

function drawTable() {
  const shown = columns.filter(isShown);
  const table = find('table.runs');
  table.classList.toggle('single', runs.length === 1);
  table.tHead.replaceChildren(element('tr', {}, element('th', { className: 'text' }, 'Run'),
    ...shown.map(({ title, isSetting }) => element('th', { className: isSetting ? 'text' : '' }, title))));
  table.tBodies[0].replaceChildren(...runs.map((run, index) => element('tr', {},
    element('td', { className: 'name text' }, swatch(colourOf(index)), run.name),
    ...shown.map((column) => cell(run, column)))));
  table.parentElement.hidden = shown.length === 0 && runs.length === 1;
}

function drawNotes() {
  find('.notes').append(...runs.flatMap(({ name, summary }) => {
    const notes = [summary.failure?.sentence, ...(summary.warnings ?? [])].filter(Boolean);
    return notes.map((note) => element('li', {}, runs.length > 1 ? `${name}: ${note}` : note));
  }));
}

function drawConfigurations() {
  find('#configuration').append(...runs.map(({ name, config }) =>
    element('details', {}, element('summary', {}, name), element('pre', {}, config))));
}
