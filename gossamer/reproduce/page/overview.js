// Draws the claims of several entries: {entries: [{name, title, paper, claims}]}.
'use strict';

function entrySection({ name, title, paper, claims }) {
  const link = element('a', { href: `${encodeURIComponent(name)}.html` }, title);
  return element('section', {}, element('div', { className: 'entry-head' },
    element('div', {}, element('h2', {}, link), element('p', { className: 'paper' }, paper)),
    verdictOn(claims)), claimsTable(claims));
}

const all = data.entries.flatMap(({ claims }) => claims);
find('header').append(element('p', { className: 'verdict' }, verdictOn(all)));
find('main').append(...data.entries.map(entrySection));
