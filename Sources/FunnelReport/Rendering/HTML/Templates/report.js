// Sorting tables by their heads, and choosing which variants are shown. Everything can be read
// without; nothing is loaded, kept or sent.
(() => {
  'use strict';
  const SECONDS = {s: 1, min: 60, h: 3600, d: 86400};

  // What a cell is sorted by: its marked value, else the number that it shows, else its text.
  const keyOf = cell => {
    if (!cell) return null;
    const mark = cell.querySelector('[data-value]');
    if (mark) return Number(mark.dataset.value);
    const text = cell.textContent.replace(/[\u202f\u2060]/g, '').replace(/\u00a0/g, ' ')
      .replace(/−/g, '-').trim();
    if (text === '' || text === '–') return null;
    if (cell.tagName === 'TH' || !cell.classList.contains('n')) return text.toLowerCase();
    const times = [...text.matchAll(/([\d.]+) (s|min|h|d)\b/g)];
    if (times.length) return times.reduce((sum, [, n, unit]) => sum + n * SECONDS[unit], 0);
    const number = parseFloat(text.replace(/^[<>+ ]+/, ''));
    return Number.isNaN(number) ? text.toLowerCase() : number;
  };

  const sorted = (rows, column, way) => {
    const entries = rows.map((row, place) => ({row, place, key: keyOf(row.cells[column])}));
    return entries.sort((one, other) => {
      // What is missing stays at the end, whichever way.
      if (one.key === null || other.key === null) {
        return (one.key === null) - (other.key === null) || one.place - other.place;
      }
      return (one.key > other.key ? way : one.key < other.key ? -way : 0)
        || one.place - other.place;
    }).map(entry => entry.row);
  };

  const makeSortable = table => {
    const body = table.tBodies[0];
    const rows = body ? [...body.rows] : [];
    if (rows.length < 3 || !table.tHead) return;
    const heads = [...table.tHead.rows[0].cells];
    for (const [column, head] of heads.entries()) {
      if (head.querySelector('svg') || !head.textContent.trim() || head.dataset.plot) continue;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'sort';
      button.append(...head.childNodes);
      head.append(button);
      // Numbers come largest first, names from A; a third time brings back the flow's own order.
      const first = head.classList.contains('n') ? 'descending' : 'ascending';
      const second = first === 'ascending' ? 'descending' : 'ascending';
      button.addEventListener('click', () => {
        const now = head.getAttribute('aria-sort');
        const next = now === null ? first : now === first ? second : null;
        for (const other of heads) other.removeAttribute('aria-sort');
        if (next) head.setAttribute('aria-sort', next);
        const way = next === 'ascending' ? 1 : -1;
        body.append(...(next ? sorted(rows, column, way) : rows));
      });
    }
  };

  const makeFilter = () => {
    const names = new Map();
    for (const figure of document.querySelectorAll('#funnel figure[data-variant]')) {
      names.set(figure.dataset.variant, figure.querySelector('h3').textContent);
    }
    const contents = document.querySelector('.contents');
    if (names.size < 2 || !contents) return;
    const group = document.createElement('div');
    group.className = 'filter';
    group.setAttribute('role', 'group');
    const label = document.createElement('p');
    label.id = 'variants-shown';
    label.textContent = 'Variants shown';
    group.setAttribute('aria-labelledby', label.id);
    group.append(label);
    const buttons = new Map();
    const show = () => {
      for (const [variant, button] of buttons) {
        const off = button.getAttribute('aria-pressed') === 'false';
        for (const part of document.querySelectorAll('[data-variant]')) {
          if (part.dataset.variant === variant) part.classList.toggle('off', off);
        }
      }
    };
    for (const [variant, name] of names) {
      const button = document.createElement('button');
      const words = document.createElement('bdi');
      words.textContent = name;
      button.type = 'button';
      button.append(words);
      button.setAttribute('aria-pressed', 'true');
      button.addEventListener('click', () => {
        button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') === 'false'));
        // Nothing at all is of no use to anybody.
        const all = [...buttons.values()];
        if (all.every(one => one.getAttribute('aria-pressed') === 'false')) {
          for (const one of all) one.setAttribute('aria-pressed', 'true');
        }
        show();
      });
      buttons.set(variant, button);
      group.append(button);
    }
    contents.append(group);
  };

  for (const table of document.querySelectorAll('main table')) makeSortable(table);
  makeFilter();
})();
