// Escaped HTML from template literals: html`<p>${text}</p>` escapes text and joins lists.

export type Html = { readonly html: string }
type Value = Html | string | number | false | null | undefined | readonly Value[]

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function toHtml(value: Value): string {
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'html' in value ? value.html : value.map(toHtml).join('')
}

export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: strings.reduce((text, part, i) => text + toHtml(values[i - 1]) + part),
})
