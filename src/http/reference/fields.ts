// The fields of a schema as nested, expandable lists: types, bounds, defaults, enums, forms and variants.

import { type Html, html } from '../docs-layout/html.ts'
import { type Schema, typesOf, type Variants } from './document.ts'

type FieldOptions = { path: string; isRequired: boolean; variants?: Variants | undefined }

/** The contents of a schema: the fields of an object, or of the objects in a list. */
export function schemaView(schema: Schema, variants: Readonly<Record<string, Variants>> = {}): Html {
  if (schema.items) return html`<p class="type">array of ${typeName(schema.items)}</p>${inside(schema.items, '[]')}`
  const isObject = Object.keys(schema.properties ?? {}).length > 0
  if (!isObject) return html`<p class="type">${typeName(schema)}</p>${prose(schema.description)}${notes(schema)}`
  return fieldList(schema, '', variants)
}

function fieldList(schema: Schema, path: string, variants: Readonly<Record<string, Variants>> = {}): Html {
  const prefix = path === '' ? '' : `${path}.`
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isRequired = schema.required?.includes(name) ?? false
    return fieldView(name, field, { path: `${prefix}${name}`, isRequired, variants: variants[name] })
  })
  return html`<ul class="fields">${fields}</ul>`
}

function fieldView(name: string, schema: Schema, { path, isRequired, variants }: FieldOptions): Html {
  return html`<li data-field="${path}"><code class="name">${name}</code> <span class="type">${typeName(schema)}</span>${
    isRequired && html` <span class="required">required</span>`
  }${prose(schema.description)}${notes(schema)}${variants ? variantViews(variants, path) : inside(schema, path)}</li>`
}

function inside(schema: Schema, path: string): Html | false {
  const count = Object.keys(schema.properties ?? {}).length
  if (count > 0)
    return html`<details class="nested"><summary>${count} ${count === 1 ? 'field' : 'fields'}</summary>${fieldList(schema, path)}</details>`
  if (schema.items) return inside(schema.items, `${path}[]`)
  if (schema.anyOf) return formViews(schema.anyOf, path)
  return typeof schema.additionalProperties === 'object' && inside(schema.additionalProperties, `${path}.*`)
}

function formViews(forms: readonly Schema[], path: string): Html | false {
  const views = forms.map((form) => inside(form, path)).filter((view) => view !== false)
  return views.length > 0 && html`${views}`
}

function variantViews({ by, schemas }: Variants, path: string): Html {
  const views = Object.entries(schemas).map(
    ([value, schema]) =>
      html`<details class="nested" data-variant="${value}"><summary><code>${by}: ${value}</code></summary>${fieldList(schema, `${path}(${value})`)}</details>`,
  )
  return html`<p class="notes">Fields by <code>${by}</code>:</p>${views}`
}

export function typeName(schema: Schema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeName))].join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const types = typesOf(schema)
  const names = types.map((type) => {
    if (type === 'array') return schema.items ? `array of ${typeName(schema.items)}` : 'array'
    if (type === 'object' && typeof schema.additionalProperties === 'object' && !schema.properties)
      return `map of ${typeName(schema.additionalProperties)}`
    if (type === 'string' && schema.enum) return 'enum'
    return type
  })
  return names.length > 0 ? names.join(' | ') : 'any'
}

/** Enum values, default, format and bounds. */
function notes(schema: Schema): Html | false {
  const values = (schema.enum ?? schema.items?.enum)?.filter((value) => value !== null)
  const bounds = boundsOf(schema)
  if (schema.items && !schema.items.properties) bounds.push(...boundsOf(schema.items).map((bound) => `each ${bound}`))
  if (!values && bounds.length === 0 && schema.default === undefined) return false
  return html`<p class="notes">${values?.map((value) => html`<code class="value">${String(value)}</code> `)}${
    schema.default !== undefined && html`<span>default <code>${JSON.stringify(schema.default)}</code></span> `
  }${bounds.map((bound) => html`<span>${bound}</span> `)}</p>`
}

function boundsOf(schema: Schema): string[] {
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`
    if (least !== undefined) return `at least ${least}${unit}`
    return most === undefined ? '' : `at most ${most}${unit}`
  }
  const expected = schema['x-expected'] ?? (schema.pattern === '\\S' ? 'not blank' : schema.pattern)
  const maxBytes = schema['x-max-bytes']
  return [
    schema.format ? `format ${schema.format}` : '',
    range(schema.minimum, schema.maximum, ''),
    schema.exclusiveMinimum === undefined ? '' : `more than ${schema.exclusiveMinimum}`,
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    range(undefined, schema.maxProperties, ' entries'),
    expected ?? '',
    maxBytes === undefined ? '' : `at most ${maxBytes} bytes`,
  ].filter((text) => text !== '')
}

const prose = (text: string | undefined): Html | false => text !== undefined && html`<p>${text}</p>`
