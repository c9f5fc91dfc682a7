// The guides in the browser: the filter of the list, copy buttons, and the heading that is being read.
const query = (selector, root = document) => root.querySelector(selector)
const queryAll = (selector, root = document) => [...root.querySelectorAll(selector)]

const all = query('.all-guides')
const isNarrow = matchMedia('(max-width: 60rem)').matches
all.open = !isNarrow

const find = query('#find')
find.addEventListener('input', () => {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const item of queryAll('[data-search]')) item.hidden = !words.every((word) => item.dataset.search.includes(word))
  for (const group of queryAll('.guides > ul > li')) group.hidden = !query('[data-search]:not([hidden])', group)
  if (isNarrow) all.open = words.length > 0
  query('.none').hidden = query('.guides [data-search]:not([hidden])') !== null
})

const [copy, copied] = document.documentElement.lang.startsWith('pt') ? ['Copiar', 'Copiado'] : ['Copy', 'Copied']
for (const pre of queryAll('pre.code')) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
    textContent: copy,
  })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(query('code', pre).textContent)
    button.textContent = copied
    setTimeout(() => {
      button.textContent = copy
    }, 1500)
  })
  const box = Object.assign(document.createElement('div'), { className: 'code-box' })
  pre.replaceWith(box)
  box.append(pre, button)
}

const entries = new Map(queryAll('.contents a').map((link) => [link.hash.slice(1), link]))
const watcher = new IntersectionObserver(
  (seen) => {
    const top = seen.find(({ isIntersecting }) => isIntersecting)
    if (!top) return
    for (const [id, link] of entries) link.classList.toggle('current', id === top.target.id)
  },
  { rootMargin: '-60px 0px -70% 0px' },
)
for (const id of entries.keys()) {
  const heading = document.getElementById(id)
  if (heading) watcher.observe(heading)
}

if (!isNarrow) query('.guides a[aria-current]')?.scrollIntoView({ block: 'nearest' })
