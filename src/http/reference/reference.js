// The API reference in the browser: filter, deep links, and requests with the visitor's own key to this origin only.

const MAX_SHOWN = 200_000
const KEY_NAME = 'ramal-reference-key'
const query = (selector, root = document) => root.querySelector(selector)
const queryAll = (selector, root = document) => [...root.querySelectorAll(selector)]

for (const origin of queryAll('.origin')) origin.textContent = location.origin

const keyInput = query('#key')
keyInput.value = sessionStorage.getItem(KEY_NAME) ?? ''
keyInput.addEventListener('input', () => sessionStorage.setItem(KEY_NAME, keyInput.value.trim()))

const filter = query('#filter')
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const element of queryAll('[data-search]'))
    element.hidden = !words.every((word) => element.dataset.search.includes(word))
  for (const group of queryAll('main .group, .operations details'))
    group.hidden = !query('[data-search]:not([hidden])', group)
  query('.introduction').hidden = words.length > 0
  query('.nothing').hidden = query('main [data-search]:not([hidden])') !== null
})

/** An operation that the address names is opened. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target?.matches('.operation')) {
    fill(target)
    target.open = true
  }
  target?.scrollIntoView()
}

if (matchMedia('(max-width: 60rem)').matches) for (const group of queryAll('.operations details')) group.open = false

function requestOf(form) {
  const { method, path } = form.dataset
  const inputs = queryAll('[data-in]', form)
  const values = new Map(inputs.filter((i) => i.dataset.in === 'path').map((i) => [i.name, i.value]))
  const url = path.replaceAll(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(values.get(name) ?? ''))
  const search = new URLSearchParams(
    inputs.filter((i) => i.dataset.in === 'query' && i.value !== '').map((i) => [i.name, i.value]),
  ).toString()
  const text = query('[name=body]', form)?.value
  const file = query('[name=file]', form)?.files[0]
  const mediaType = query('[name=mediaType]', form)?.value ?? (text === undefined ? undefined : 'application/json')
  const body = mediaType === 'application/json' ? text : file
  return { method, url: search ? `${url}?${search}` : url, mediaType, body }
}

function curlOf({ method, url, mediaType, body }) {
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${location.origin}${url}"`,
    '-H "X-Api-Key: $RAMAL_KEY"',
  ]
  if (mediaType) lines.push(`-H 'Content-Type: ${mediaType}'`)
  if (mediaType === 'application/json') lines.push(`-d ${quote(body)}`)
  else if (mediaType) lines.push(`--data-binary @${quote(body?.name ?? 'file')}`)
  return lines.join(' \\\n  ')
}

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

async function send(form) {
  const answer = query('.answer', form)
  const stop = query('.stop', form)
  const controller = new AbortController()
  stop.onclick = () => controller.abort()
  stop.hidden = false
  answer.replaceChildren(element('p', { className: 'status' }, 'Sending…'))
  const { method, url, mediaType, body } = requestOf(form)
  const startedAt = performance.now()
  try {
    const response = await fetch(url, {
      method,
      headers: { 'x-api-key': keyInput.value.trim(), ...(mediaType ? { 'content-type': mediaType } : {}) },
      ...(body === undefined ? {} : { body }),
      mode: 'same-origin',
      credentials: 'omit', // the key alone decides, not the session of the dashboard
      redirect: 'error',
      cache: 'no-store',
      signal: controller.signal,
    })
    const ms = Math.round(performance.now() - startedAt)
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    const isGood = response.ok ? 'good' : 'bad'
    const status = `${response.status} ${response.statusText}`.trim()
    answer.replaceChildren(
      element('p', { className: `status ${isGood}` }, element('strong', {}, status), ` in ${ms} ms`),
      element('details', {}, element('summary', {}, 'Headers'), element('pre', {}, headers)),
    )
    await showBody(response, answer)
  } catch (error) {
    const text = controller.signal.aborted ? 'Stopped.' : `No response: ${error.message}`
    answer.append(element('p', { className: 'status bad' }, text))
  } finally {
    stop.hidden = true
  }
}

async function showBody(response, answer) {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) return showStream(response, answer)
  if (/^(audio|image)\/|octet-stream|spreadsheetml|pdf/.test(type)) {
    const blob = await response.blob()
    const src = URL.createObjectURL(blob)
    if (type.startsWith('audio/')) answer.append(element('audio', { controls: true, src }))
    if (type.startsWith('image/')) answer.append(element('img', { src, alt: 'The image in the response' }))
    answer.append(element('p', {}, element('a', { href: src, download: '' }, `Download (${blob.size} bytes)`)))
    return
  }
  const text = await response.text()
  answer.append(
    element('pre', { className: 'body', tabIndex: 0 }, shown(type.includes('json') ? indented(text) : text)),
  )
}

async function showStream(response, answer) {
  const pre = element('pre', { className: 'body', tabIndex: 0 })
  answer.append(pre)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
    pre.textContent = (pre.textContent + chunk.value).slice(-MAX_SHOWN)
}

const shown = (text) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… ${text.length} characters` : text)

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function prepare(form) {
  const curl = query('.curl code', form.parentElement)
  const update = () => {
    const mediaType = query('[name=mediaType]', form)?.value
    const file = query('.file', form)
    if (file && query('[name=body]', form)) {
      file.hidden = mediaType === 'application/json'
      query('.body', form).hidden = !file.hidden
    }
    curl.textContent = curlOf(requestOf(form))
  }
  query('select.example', form)?.addEventListener('change', ({ target }) => {
    query('[name=body]', form).value = target.selectedOptions[0].dataset.body
  })
  form.addEventListener('input', update)
  form.addEventListener('change', update)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (keyInput.value.trim() === '') {
      query('.answer', form).replaceChildren(
        element('p', { className: 'status bad' }, 'Enter your API key above first.'),
      )
      keyInput.focus()
      return
    }
    void send(form)
  })
  form.hidden = false
  update()
}

function addCopyButtons(root) {
  for (const pre of queryAll('pre.curl, pre.example', root)) {
    const button = element('button', { type: 'button', className: 'copy' }, 'Copy')
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(query('code', pre).textContent)
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    })
    pre.before(button)
  }
}

/** The content of an operation is a template until it is opened. */
function fill(operation) {
  const template = query(':scope > template', operation)
  if (!template) return
  template.replaceWith(template.content)
  for (const form of queryAll('form.try', operation)) prepare(form)
  addCopyButtons(operation)
}

for (const operation of queryAll('.operation'))
  operation.addEventListener('toggle', () => {
    if (operation.open) fill(operation)
  })
addCopyButtons(query('.introduction'))
addEventListener('hashchange', openTarget)
if (location.hash) openTarget()
