// Sorting, filtering and copying tables, and choosing which variants are shown; the address keeps
// what was chosen. Everything can be read without; nothing is loaded, kept or sent.
(() => {
  'use strict';
  document.documentElement.classList.add('js');
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, name, parent) => {
    const element = document.createElement(tag);
    element.className = name;
    if (tag === 'button') element.type = 'button';
    if (parent) parent.append(element);
    return element;
  };
  const SECONDS = {s: 1, min: 60, h: 3600, d: 86400};
  const textOf = cell => cell.textContent.replace(/[\u202f\u2060]/g, '').replace(/\u00a0/g, ' ')
    .replace(/−/g, '-').trim();

  // What a cell is sorted by: the number that it shows, else its text.
  const keyOf = cell => {
    const text = cell ? textOf(cell) : '';
    if (text === '' || text === '–') return null;
    if (cell.tagName === 'TH' || cell.classList.contains('w')) return text.toLowerCase();
    const times = [...text.matchAll(/([\d.]+) (s|min|h|d)\b/g)];
    const sum = times.reduce((sum, [, n, unit]) => sum + n * SECONDS[unit], 0);
    if (times.length) return text.startsWith('-') ? -sum : sum;
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

  // The address: `#` the chart, then what was chosen, as `#funnel/sign_in?variant=B&sort=…`.
  const read = () => {
    const [place, query] = decodeURI(location.hash.slice(1)).split('?');
    return {place, state: new URLSearchParams(query || '')};
  };
  const write = (change, to) => {
    const {place: from, state} = read();
    const place = to || from;
    change(state);
    const query = state.toString();
    history.replaceState(null, '', '#' + place + (query ? '?' + query : ''));
  };
  const show = place => {
    const target = place && document.getElementById(place);
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    for (const other of all('.loss .here')) other.classList.remove('here');
    const steps = all('.loss a.step');
    for (const step of steps) step.setAttribute('aria-expanded', step.parentElement === target);
    if (!target) return;
    // What phones fold away is open where it was asked for.
    for (const fold of all('.roomy', target)) fold.open = true;
    // A target in the style sheet's sense has no place for what was chosen behind it.
    if (target.closest('.loss')) target.classList.add('here');
    target.scrollIntoView({behavior: 'instant'});
  };

  // What a table costs in bytes is kept small: labels and variants of cells are those of the heads.
  const label = table => {
    const heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
    const names = heads.map(head => head.dataset.plot ? '' : head.textContent.trim());
    for (const row of all('tbody tr, tfoot tr', table)) {
      for (const [column, cell] of [...row.cells].entries()) {
        const head = heads[column];
        if (!head) continue;
        if (head.dataset.variant) cell.dataset.variant = head.dataset.variant;
        const bare = !names[column] || cell.tagName === 'TH' || /\b[pt]\b/.test(cell.className);
        if (!bare) cell.dataset.label = names[column];
      }
    }
  };

  const sorts = new Map();
  const filters = new Map();
  const makeSortable = (table, name) => {
    const body = table.tBodies[0];
    const rows = body ? [...body.rows] : [];
    if (rows.length < 3 || !table.tHead) return;
    const heads = [...table.tHead.rows[0].cells];
    const sort = (column, way) => {
      for (const other of heads) other.removeAttribute('aria-sort');
      if (way) heads[column].setAttribute('aria-sort', way);
      body.append(...(way ? sorted(rows, column, way === 'ascending' ? 1 : -1) : rows));
    };
    sorts.set(name, sort);
    for (const [column, head] of heads.entries()) {
      if (head.querySelector('svg') || !head.textContent.trim() || head.dataset.plot) continue;
      const button = make('button', 'sort');
      button.append(...head.childNodes);
      head.append(button);
      // Numbers come largest first, names from A; a third time brings back the flow's own order.
      const first = head.classList.contains('n') ? 'descending' : 'ascending';
      const second = first === 'ascending' ? 'descending' : 'ascending';
      button.addEventListener('click', () => {
        const now = head.getAttribute('aria-sort');
        const next = now === null ? first : now === first ? second : null;
        sort(column, next);
        write(state => next ? state.set('sort', [name, column, next].join('.'))
          : state.delete('sort'));
      });
    }
    if (rows.length < 9) return;
    const field = make('input', 'filter', table.caption);
    field.placeholder = 'Filter rows';
    field.setAttribute('aria-label', 'Filter rows');
    const filter = text => {
      if (field.value !== text) field.value = text;
      const wanted = text.toLowerCase();
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    };
    filters.set(name, filter);
    field.addEventListener('input', () => {
      filter(field.value);
      write(state => field.value ? state.set('filter', name + '.' + field.value)
        : state.delete('filter'));
    });
  };

  const makeCopy = (place, name, text) => {
    const button = make('button', 'copy', place);
    button.textContent = name;
    button.addEventListener('click', async () => {
      const ok = await navigator.clipboard.writeText(text()).then(() => true, () => false);
      button.textContent = ok ? 'Copied' : 'Not allowed here';
    });
    return button;
  };
  const csv = table => {
    const quoted = text => /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
    const rows = [...table.rows].filter(row => !row.hidden);
    // A column of drawings has no value but their labels.
    const isDrawn = column => column && table.tHead && table.tHead.rows[0].cells[column].dataset.plot;
    return rows.map(row => [...row.cells].filter((cell, column) => !isDrawn(column))
      .map(cell => quoted(textOf(cell))).join(','))
      .join('\n') + '\n';
  };
  for (const code of all('.cmd')) {
    code.before(makeCopy(code.parentElement, 'Copy', () => code.textContent));
  }

  // The arithmetic of the what-if, in the words that the page has without it.
  const trial = document.querySelector('.try');
  let tryOut = () => {};
  if (trial) {
    const [steps, share] = all('select, input', trial);
    const output = document.querySelector('.guess [role]');
    const percent = rate => (rate * 100).toFixed(1) + '\u00a0%';
    const grouped = count => String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
    const of = element => element.dataset.n.split(' ').map(Number);
    const [persons, finished] = of(trial);
    const say = () => {
      const step = steps.selectedOptions[0];
      const [viewed, left, viewers] = of(step);
      const then = share.value / 100;
      const kept = left - then * viewed;
      const completion = (finished + kept * viewers / (viewed - left)) / persons;
      share.setAttribute('aria-valuetext', percent(then));
      output.textContent = `If ${step.text} lost ${percent(then)} instead of `
        + `${percent(left / viewed)}, completion${trial.dataset.of} would be ${percent(completion)} instead of `
        + `${percent(finished / persons)}: ${grouped(Math.abs(Math.round(completion * persons) - finished))} `
        + `${then > left / viewed ? 'fewer' : 'more'} of ${grouped(persons)} people.`;
    };
    const begin = () => {
      const [viewed, left] = of(steps.selectedOptions[0]);
      share.max = Math.min(100, Math.ceil(200 * left / viewed));
      share.value = Math.round(50 * left / viewed) || 50 * left / viewed;
    };
    const [given, said] = [steps.value, output.textContent];
    const keep = () => {
      say();
      write(state => { state.set('step', steps.value); state.set('loses', share.value); }, 'what-if');
    };
    begin();
    share.addEventListener('input', keep);
    steps.addEventListener('change', () => { begin(); keep(); });
    tryOut = state => {
      const wanted = state.get('step');
      const isThere = [...steps.options].some(option => option.value === wanted);
      steps.value = isThere ? wanted : given;
      begin();
      const loss = isThere ? parseFloat(state.get('loses')) : NaN;
      if (loss >= 0) share.value = loss;
      if (isThere) say(); else output.textContent = said;
    };
  }

  const boxes = all('.chips input');
  const given = boxes.map(box => box.checked);
  const apply = () => {
    for (const box of boxes) {
      if (box.dataset.of === undefined) continue;
      for (const part of all('[data-variant]')) {
        if (part.dataset.variant === box.dataset.of) part.classList.toggle('off', !box.checked);
      }
    }
  };
  const choose = event => {
    // Nothing at all is of no use to anyone.
    if (boxes.every(box => !box.checked)) for (const box of boxes) box.checked = true;
    apply();
    if (event) write(state => {
      for (const name of ['everyone', 'variant', 'version']) state.delete(name);
      if (boxes.every((box, place) => box.checked === given[place])) return;
      for (const box of boxes) if (box.checked) state.append(box.name, box.value);
    });
  };
  const restore = () => {
    const {place, state} = read();
    const chosen = ['everyone', 'variant', 'version'].some(name => state.has(name));
    for (const [index, box] of boxes.entries()) {
      box.checked = chosen ? state.getAll(box.name).includes(box.value) : given[index];
    }
    choose();
    const [name, column, way] = (state.get('sort') || '').split('.');
    const sort = sorts.get(name);
    if (sort && ['ascending', 'descending'].includes(way)) sort(Number(column), way);
    const [table, ...text] = (state.get('filter') || '').split('.');
    for (const [name, filter] of filters) filter(name === table ? text.join('.') : '');
    tryOut(state);
    show(place);
  };

  // What takes much room waits for a tap where there is little.
  if (innerWidth < 760) for (const fold of all('.roomy')) fold.open = false;
  for (const [place, table] of all('main table').entries()) {
    label(table);
    makeSortable(table, 't' + place);
    if (!table.caption) continue;
    if (table.rows.length > 2) makeCopy(table.caption, 'Copy as CSV', () => csv(table));
    // The heads of what has become a list are hidden, and with them the axis of its charts.
    const axis = table.querySelector('thead svg');
    if (!axis) continue;
    const copies = [...axis.parentElement.childNodes].map(node => node.cloneNode(true));
    make('span', 'axes', table.caption).append(...copies);
  }
  for (const box of boxes) box.addEventListener('change', choose);
  // A tip can be dismissed without moving the pointer or the focus, and so can a step that is open.
  const loss = document.querySelector('.loss');
  const opened = () => loss && loss.querySelector('.here');
  const go = place => {
    const query = read().state.toString();
    location.hash = place + (query ? '?' + query : '');
  };
  document.addEventListener('keydown', event => {
    if (!loss || event.key !== 'Escape') return;
    loss.classList.add('quiet-tips');
    if (opened()) go('funnel');
  });
  if (loss) for (const kind of ['focusin', 'pointerover']) {
    loss.addEventListener(kind, () => loss.classList.remove('quiet-tips'));
  }
  // A link to a chart keeps what was chosen; that of an open step closes it.
  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="#"]');
    if (!link) return;
    const place = link.getAttribute('href').slice(1);
    const closes = link.matches('.step') && opened() === link.parentElement;
    if (!closes && !read().state.toString()) return;
    event.preventDefault();
    go(closes ? 'funnel' : place);
  });
  // The contents follow down the page once their place is out of sight.
  const head = document.querySelector('.top');
  const contents = document.querySelector('.contents');
  if (head && contents) {
    // Tab reaches them where they are seen: on wide screens above the page, else below the funnel.
    const funnel = contents.previousElementSibling;
    const settle = () => {
      const isBelow = getComputedStyle(contents).position === 'static';
      if (isBelow === (contents.previousElementSibling === funnel)) return;
      if (isBelow) funnel.after(contents);
      else head.before(contents);
    };
    addEventListener('resize', settle);
    settle();
    new IntersectionObserver(entries => {
      contents.classList.toggle('stuck', !entries[entries.length - 1].isIntersecting);
    }).observe(head);
  }
  addEventListener('hashchange', restore);
  // A page that is loaded again scrolls to where it was, before or after this: the address decides.
  if (read().place) history.scrollRestoration = 'manual';
  restore();
})();
