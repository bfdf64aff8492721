// Numbers for people.
'use strict';

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

function plain(value) {
  const size = Math.abs(value);
  if (value === 0) return '0';
  if (size < 0.1 || size >= 1e4) return value.toExponential(2).replace('e+', 'e');
  return value.toLocaleString('en', { minimumSignificantDigits: 4, maximumSignificantDigits: 4 });
}

const count = (value) => value.toLocaleString('en', { maximumFractionDigits: 2 });
const percent = (value) => `${(100 * value).toFixed(1)} %`;
const times = (value) => `${Number(value.toPrecision(3)).toLocaleString('en')} ×`;

// In the largest of the units that leaves a number of at least 1.
function scaled(value, units) {
  const [size, unit] = units.find(([size]) => Math.abs(value) >= size * 0.9995) ?? units.at(-1);
  return `${Number((value / size).toPrecision(3))} ${unit}`;
}

const bits = (value) => scaled(value, [[1e12, 'Tbit'], [1e9, 'Gbit'], [1e6, 'Mbit'], [1e3, 'kbit'], [1, 'bit']]);
const bytes = (value) => scaled(value, [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']]);

function seconds(value) {
  if (value === 0) return '0 s';
  if (value < 100) return scaled(value, [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs']]);
  const whole = Math.round(value);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}

// Along an axis numbers are round: no zeros at their end, no second unit.
const tickPlain = (value) => plain(value).replace(/(\.\d*?)0+(?=e|$)/, '$1').replace(/\.(?=e|$)/, '');
const tickPercent = (value) => `${Number((100 * value).toFixed(1))} %`;
const tickSeconds = (value) => (value >= 100 ? `${count(value)} s` : seconds(value));
