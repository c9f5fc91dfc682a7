// Response serializers, compiled on first use, because there are about a thousand and few are ever used. Routes with a
// shared schema share its serializer.
import type { Schema } from 'fast-json-stringify'
import { loadJsonStringify } from '../base/process/lazy-packages.ts'

export type Serializer = (value: unknown) => string

const compiled = new WeakMap<object, Serializer>()

export function serializerOf(schema: object): Serializer {
  let stringify: Serializer | undefined
  return (value) => {
    if (!stringify) {
      stringify = compiled.get(schema) ?? loadJsonStringify()(schema as Schema)
      compiled.set(schema, stringify)
    }
    return stringify(value)
  }
}
