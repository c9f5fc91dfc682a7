// One operation of the API reference: parameters, body, responses, examples, curl and the form that sends it.

import { type Html, html } from '../docs-layout/html.ts'
import type { Content, Operation, Parameter } from './document.ts'
import { examplesOf, jsonOf, pathExamples } from './examples.ts'
import { schemaView, typeName } from './fields.ts'

const pretty = (value: unknown) => JSON.stringify(value, null, 2)

/** Its content stays in a template until it is opened: otherwise the page would have some 40,000 elements. */
export function operationView(operation: Operation, all: readonly Operation[]): Html {
  const { id, method, path, summary = '' } = operation
  return html`<details class="operation" id="${id}" data-search="${`${method} ${path} ${summary}`.toLowerCase()}">
<summary><h3><b class="method ${method.toLowerCase()}">${method}</b> <code>${path}</code></h3><span>${summary}</span></summary>
<template><div class="columns"><div class="about">${parametersView(operation)}${bodyView(operation)}${responsesView(operation)}
<p><a href="#${id}">Link to this operation</a></p></div>
<div class="use">${usageView(operation, all)}${responseExample(operation)}</div></div></template></details>`
}

const placeNames: Readonly<Record<string, string>> = {
  path: 'In the path',
  query: 'In the query',
  header: 'A header',
}

function parametersView({ parameters = [] }: Operation): Html | false {
  if (parameters.length === 0) return false
  const properties = Object.fromEntries(
    parameters.map(({ name, in: where, schema = {}, description = schema.description }) => {
      const text = [placeNames[where] ?? where, description].filter(Boolean).join('. ')
      return [name, { ...schema, description: text }]
    }),
  )
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return html`<h4>Parameters</h4>${schemaView({ properties, required })}`
}

function bodyView({ requestBody, variants }: Operation): Html | false {
  if (!requestBody) return false
  const json = jsonOf(requestBody.content)?.schema
  const files = Object.keys(requestBody.content).filter((type) => type !== 'application/json')
  return html`<h4>Body</h4>${json && schemaView(json, variants)}${
    files.length > 0 &&
    html`<p>${json ? 'Or a file' : 'A file'}: ${files.map((type) => html`<code>${type}</code> `)}</p>`
  }`
}

function responsesView({ responses }: Operation): Html {
  const views = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { description, content = {} }]) => {
      const others = Object.entries(content).filter(([type]) => type !== 'application/json')
      const json = jsonOf(content)?.schema
      const isTold = description !== undefined && description !== 'Default Response'
      return html`<h4>Response ${status}</h4>${isTold && html`<p>${description}</p>`}${json && schemaView(json)}${others.map(
        ([type, { schema = {} }]) =>
          html`<p><code>${type}</code>${schema.description !== undefined && html` ${schema.description}`}</p>`,
      )}`
    })
  return html`${views}<p>Errors have the <a href="#errors">common error body</a>.</p>`
}

function usageView(operation: Operation, all: readonly Operation[]): Html {
  const { method, path, requestBody, parameters = [] } = operation
  const values = pathExamples(operation, all)
  const body = requestBody && jsonOf(requestBody.content)
  const bodies = body ? examplesOf(body, 'request') : []
  const url = path.replaceAll(/\{([^{}]{1,64})\}/g, (_, name: string) => encodeURIComponent(values[name] ?? name))
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const mediaTypes = Object.keys(requestBody?.content ?? {})
  return html`<h4>Request</h4>
<pre class="curl" tabindex="0"><code>${curl(method, url, bodies[0], mediaTypes)}</code></pre>
<form class="try" data-method="${method}" data-path="${path}" hidden>
${Object.entries(values).map(([name, value]) => html`<label>${name}<input name="${name}" data-in="path" value="${value}" required></label>`)}
${query.map(queryInput)}
${mediaTypes.length > 1 && html`<label>Content type<select name="mediaType">${mediaTypes.map((type) => html`<option>${type}</option>`)}</select></label>`}
${body ? bodyInput(bodies) : mediaTypes.length === 1 && html`<input type="hidden" name="mediaType" value="${mediaTypes[0]}">`}
${mediaTypes.some((type) => type !== 'application/json') && html`<label class="file"${body && html` hidden`}>File<input type="file" name="file"></label>`}
<p><button type="submit" class="${method.toLowerCase()}">Send</button> <button type="button" class="stop" hidden>Stop</button></p>
<div class="answer" aria-live="polite"></div></form>`
}

function queryInput({ name, schema = {}, example }: Parameter): Html {
  const values = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : null)
  if (values)
    return html`<label>${name}<select name="${name}" data-in="query"><option></option>${values.map((value) => html`<option>${String(value)}</option>`)}</select></label>`
  const hint = example ?? schema.default ?? typeName(schema)
  return html`<label>${name}<input name="${name}" data-in="query" placeholder="${String(hint)}"></label>`
}

function bodyInput(bodies: readonly unknown[]): Html {
  const nameOf = (body: unknown, i: number) => String((body as { type?: unknown }).type ?? `Example ${i + 1}`)
  return html`${
    bodies.length > 1 &&
    html`<label>Example<select class="example">${bodies.map((body, i) => html`<option data-body="${pretty(body)}">${nameOf(body, i)}</option>`)}</select></label>`
  }<label class="body">Body<textarea name="body" spellcheck="false" rows="${Math.min(18, pretty(bodies[0]).split('\n').length + 1)}">
${pretty(bodies[0])}</textarea></label>`
}

function curl(method: string, url: string, body: unknown, mediaTypes: readonly string[]): string {
  const file = mediaTypes.find((type) => type !== 'application/json')
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$RAMAL_URL${url}"`,
    `-H "X-Api-Key: $RAMAL_KEY"`,
    ...(body !== undefined
      ? [`-H 'Content-Type: application/json'`, `-d '${pretty(body).replaceAll("'", "'\\''")}'`]
      : file
        ? [`-H 'Content-Type: ${file}'`, '--data-binary @file']
        : []),
  ]
  return lines.join(' \\\n  ')
}

function responseExample({ responses }: Operation): Html | false {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  const json: Content | undefined = jsonOf(response?.content)
  if (!json) return false
  return html`<h4>Example response ${status}</h4><pre class="example" tabindex="0"><code>${pretty(examplesOf(json, 'response')[0])}</code></pre>`
}
