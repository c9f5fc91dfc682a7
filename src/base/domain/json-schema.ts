// The JSON Schema validator: Ajv (draft 2020-12) with one set of formats. Each caller opens its own with the options it
// needs.
import type { Ajv2020, Options } from 'ajv/dist/2020.js'
import { loadAjv } from '../process/lazy-packages.ts'

const formats = {
  'date-time': isMoment,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  'language-tag': isLanguageTag,
}

/** Not strict, because schemas contain OpenAPI keywords and our own. */
export const openAjv = (options: Options): Ajv2020 => new (loadAjv().Ajv2020)({ strict: false, formats, ...options })

/** RFC 3339, with or without seconds. Without an offset, the time would depend on the server's time zone. */
function isMoment(text: string): boolean {
  const [, date = '', time = ''] =
    /^(\d{4}-\d\d-\d\d)T([01]\d:[0-5]\d|2[0-3]:[0-5]\d)(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.exec(
      text,
    ) ?? []
  // Date.parse reads 30 February as 2 March.
  return date !== '' && new Date(`${date}T${time}Z`).toJSON()?.startsWith(date)
}

/** BCP 47, as parsed by the runtime. */
function isLanguageTag(text: string): boolean {
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(text)) return false
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
