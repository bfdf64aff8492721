// What the parts of the page share: the data, elements and colours.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const { runs = [] } = data;

const find = (selector) => document.querySelector(selector);

// Strings among the children become text, whatever they hold.
function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const hues = [215, 22, 155, 330, 262, 190, 45, 100];

// Each run has a colour of its own, the same all over the page. Where hues run out, lighter ones of the same follow.
function colourOf(index, opacity = 1) {
  const turn = Math.floor(index / hues.length) % 3;
  const lightness = (darkScheme.matches ? [66, 46, 84] : [42, 66, 24])[turn];
  return `hsla(${hues[index % hues.length]}, 60%, ${lightness}%, ${opacity})`;
}

const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function swatch(colour) {
  const made = element('span', { className: 'swatch' });
  made.style.background = colour;
  return made;
}
