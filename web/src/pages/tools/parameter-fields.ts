// Converts tool parameters between editable rows and JSON Schema, keeping whatever rows cannot show. Pure.
type Json = Record<string, unknown>

export const fieldTypes = ['string', 'integer', 'number', 'boolean', 'choice', 'array', 'object'] as const
export type FieldType = (typeof fieldTypes)[number] | 'other'

export type Field = {
  /** Only identifies the row for React. */
  key: number
  name: string
  type: FieldType
  description: string
  isRequired: boolean
  /** The options of a choice. */
  options: string[]
  /** Other schema keywords: limits, pattern, default … */
  rest: Json
}
export type Fields = { fields: Field[]; rest: Json }

let last = 0
export const newField = (part: Partial<Field> = {}): Field => ({
  key: ++last,
  name: '',
  type: 'string',
  description: '',
  isRequired: false,
  options: [],
  rest: {},
  ...part,
})

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null if it is not an object schema: then it is edited as JSON. */
export function fieldsOf(schema: unknown): Fields | null {
  if (schema === null || schema === undefined) return { fields: [], rest: {} }
  if (!isObject(schema)) return null
  const { type = 'object', properties = {}, required = [], ...rest } = schema
  if (type !== 'object' || !isObject(properties) || !Array.isArray(required)) return null
  // A required name without a property would be lost in rows.
  if (required.some((name) => typeof name !== 'string' || !Object.hasOwn(properties, name))) return null
  const fields = Object.entries(properties).map(([name, property]) =>
    isObject(property) ? fieldOf(name, property, required.includes(name)) : null,
  )
  return fields.includes(null) ? null : { fields: fields as Field[], rest }
}

function fieldOf(name: string, property: Json, isRequired: boolean): Field {
  const { type, description, enum: options, ...rest } = property
  const isText = description === undefined || typeof description === 'string'
  if (!isText) return newField({ name, type: 'other', isRequired, rest: property })
  const known = { name, description: description ?? '', isRequired, rest }
  if (Array.isArray(options)) {
    const isChoice = type === 'string' && options.every((option) => typeof option === 'string')
    return isChoice
      ? newField({ ...known, type: 'choice', options })
      : newField({ ...known, type: 'other', rest: { ...rest, ...(type === undefined ? {} : { type }), enum: options } })
  }
  if (typeof type === 'string' && (fieldTypes as readonly string[]).includes(type))
    return newField({ ...known, type: type as FieldType })
  return newField({ ...known, type: 'other', rest: { ...rest, ...(type === undefined ? {} : { type }) } })
}

/** Null if there are no parameters. */
export function schemaOf({ fields, rest }: Fields): Json | null {
  const named = fields.filter(({ name }) => name.trim() !== '')
  if (named.length === 0 && Object.keys(rest).length === 0) return null
  const required = named.filter(({ isRequired }) => isRequired).map(({ name }) => name.trim())
  return {
    type: 'object',
    properties: Object.fromEntries(named.map((field) => [field.name.trim(), propertyOf(field)])),
    ...(required.length > 0 ? { required } : {}),
    ...rest,
  }
}

function propertyOf({ type, description, options, rest }: Field): Json {
  const descriptionPart = description.trim() === '' ? {} : { description: description.trim() }
  if (type === 'other') return { ...rest, ...descriptionPart }
  if (type === 'choice') return { type: 'string', ...descriptionPart, enum: options, ...rest }
  return { type, ...descriptionPart, ...rest }
}

/** Drops the keywords of the old type, and keeps general ones. */
export function withType(field: Field, type: FieldType): Field {
  const { default: standard, title, examples } = field.rest
  const rest = Object.fromEntries(
    Object.entries({ title, examples, default: standard }).filter(([, value]) => value !== undefined),
  )
  return { ...field, type, rest: field.type === type ? field.rest : rest }
}

export type FieldProblem = { key: number; problem: 'name' | 'twice' | 'options' }

/** Names are used as {name} placeholders, so they may only have letters, digits and underscores. */
export function fieldProblems(fields: readonly Field[]): FieldProblem[] {
  return fields.flatMap(({ key, name, type, options }, i): FieldProblem[] => {
    const plain = name.trim()
    if (plain === '' || !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(plain)) return [{ key, problem: 'name' }]
    if (fields.slice(0, i).some((other) => other.name.trim() === plain)) return [{ key, problem: 'twice' }]
    return type === 'choice' && options.length === 0 ? [{ key, problem: 'options' }] : []
  })
}
