// Validates requests and responses against docs/gateway-api.yaml, with readable errors.
import { fileURLToPath } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Content = { content?: Record<string, { schema: object }> }
type Parameter = { name: string; in: string; required?: boolean; schema: object }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Content>
}
type Path = { parameters?: Parameter[] } & Partial<Record<'get' | 'post' | 'put' | 'delete', Operation>>
const methods = ['get', 'post', 'put', 'delete'] as const
type Contract = { openapi: string; paths: Record<string, Path> }

export type Crossing = {
  method: string
  url: string
  headers: Readonly<Record<string, unknown>>
  body: unknown
}

export const contractFile = fileURLToPath(new URL('../../docs/gateway-api.yaml', import.meta.url))

let read: ReturnType<typeof readAnew> | undefined
/** Reads the contract only once. */
export const readContract = () => {
  read ??= readAnew()
  return read
}

async function readAnew() {
  const validator = new Validator()
  const result = await validator.validate(contractFile)
  if (!result.valid) throw new Error(`the contract is not OpenAPI: ${JSON.stringify(result.errors)}`)
  const contract = validator.resolveRefs() as unknown as Contract
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const compiled = new Map<object, ValidateFunction>()
  const wrongIn = (schema: object, value: unknown): string | undefined => {
    const validate = compiled.get(schema) ?? ajv.compile(schema)
    compiled.set(schema, validate)
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }
  const paths = Object.entries(contract.paths).map(([path, of]) => ({
    of,
    pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }))

  function operationOf({ method, url }: Crossing): { operation: Operation; parameters: Parameter[] } | undefined {
    const path = url.split('?')[0] ?? ''
    const found = paths.find(({ pattern }) => pattern.test(path))?.of
    const operation = found?.[method.toLowerCase() as (typeof methods)[number]]
    return operation && { operation, parameters: [...(found.parameters ?? []), ...(operation.parameters ?? [])] }
  }

  return {
    contract,
    operationIds: paths.flatMap(({ of }) => methods.flatMap((method) => of[method]?.operationId ?? [])),
    nameOf: (asked: Crossing): string | undefined => operationOf(asked)?.operation.operationId,

    wrongInRequest(asked: Crossing): string | undefined {
      const found = operationOf(asked)
      if (!found) return 'no such path'
      const query = new URL(asked.url, 'http://x').searchParams
      for (const { name, in: place, required, schema } of found.parameters) {
        if (place === 'path') continue
        const given = place === 'header' ? asked.headers[name.toLowerCase()] : (query.get(name) ?? undefined)
        if (given === undefined && required) return `${name} is missing`
        if (given === undefined) continue
        const isNumber = (schema as { type?: string }).type === 'integer'
        const wrong = wrongIn(schema, isNumber ? Number(given) : given)
        if (wrong) return `${name}: ${wrong}`
      }
      const unknown = [...query.keys()].find((name) => !found.parameters.some((one) => one.name === name))
      if (unknown) return `${unknown} is not in the contract`
      const schema = found.operation.requestBody?.content?.['application/json']?.schema
      if (!schema) return asked.body === undefined ? undefined : 'a body where none belongs'
      return wrongIn(schema, asked.body)
    },

    wrongInAnswer(asked: Crossing, status: number, json: unknown): string | undefined {
      const responses = operationOf(asked)?.operation.responses ?? {}
      const described = responses[status] ?? (status >= 400 ? responses.default : undefined)
      if (!described) return `status ${status} is not in the contract`
      const schema = described.content?.['application/json']?.schema
      return schema ? wrongIn(schema, json) : undefined
    },
  }
}
