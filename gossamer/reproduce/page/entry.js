// Draws the page of an entry: {entry: {name, paper, effort, claims}, about, plots, grid, runs}.
'use strict';

const { entry, about } = data;

function drawClaims() {
  find('header').append(element('p', { className: 'paper' }, entry.paper),
    element('p', { className: 'verdict' }, verdictOn(entry.claims)));
  find('#claims').append(claimsTable(entry.claims));
}

// Paragraphs are separated by empty lines.
function drawAbout() {
  const effort = entry.effort === 'full' ? ' --full' : '';
  const command = element('code', {}, `gossamer reproduce ${entry.name}${effort}`);
  find('#about').append(...about.trim().split(/\n\s*\n/).map((text) => element('p', {}, text)),
    element('p', { className: 'repeat' }, 'This page was made by ', command));
}

// What has a colour that depends on the reader's scheme.
function drawColoured() {
  if (data.grid) return drawMap();
  drawTable();
  drawCurves();
}

drawClaims();
drawAbout();
if (data.grid) {
  showMapInsteadOfRuns();
} else {
  makeCurves();
}
drawColoured();
drawNotes();
drawConfigurations();
darkScheme.addEventListener('change', drawColoured);
