// What is claimed, what was measured, and how each claim stands.
'use strict';

const marks = { holds: '✓', differs: '≈', 'does not hold': '✗' };
const classOf = (standing) => standing.replaceAll(' ', '-');

function badge(standing, text = standing) {
  return element('span', { className: `badge ${classOf(standing)}` },
    element('span', { className: 'mark', ariaHidden: 'true' }, marks[standing]), text);
}

// One sentence that says how all of an entry's claims stand.
function verdictOn(claims) {
  const among = (standing) => claims.filter((claim) => claim.standing === standing).length;
  const [hold, differ, fail] = Object.keys(marks).map(among);
  const name = (count) => `${count} ${count === 1 ? 'claim' : 'claims'}`;
  if (fail > 0) return badge('does not hold', `${fail} of ${name(claims.length)} ${fail === 1 ? 'does' : 'do'} not hold`);
  if (differ > 0) return badge('differs', `${hold} of ${name(claims.length)} hold, ${differ} ${differ === 1 ? 'differs' : 'differ'} for a reason`);
  return badge('holds', claims.length === 1 ? 'The claim holds' : `All ${name(claims.length)} hold`);
}

function claimRow({ says, claimed, measured, standing, why }) {
  const labelled = (className, label, text) => {
    const cell = element('td', { className }, text);
    cell.dataset.label = label;
    return cell;
  };
  const sentence = element('td', { className: 'says' }, says);
  if (why) sentence.append(element('p', { className: 'why' }, why));
  return element('tr', { className: classOf(standing) }, sentence,
    labelled('claimed', 'The paper', claimed), labelled('measured', 'Here', measured),
    element('td', { className: 'standing' }, badge(standing)));
}

function claimsTable(claims) {
  const head = ['Claim', 'The paper', 'Here', ''].map((title) => element('th', {}, title));
  return element('div', { className: 'scroll' }, element('table', { className: 'claims' },
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...claims.map(claimRow))));
}
