// Normalization rules for e-mail and web addresses.
import { END, type Language, type Rule, readNumber, START, spelled } from './language.ts'

/** Top-level domains that make a bare name an address; those that are words of our languages (de, it, me) do not. */
const knownEnding =
  /\p{L}[\p{L}\p{N}-]{0,62}\.(?:com|net|org|edu|gov|br|pt|es|mx|ar|co|cl|pe|uy|us|uk|ca|io|ai|app|dev|info|tv|eu|fr|online|site|store|shop)$/iu
const host = '(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,62}))'

export function addressRules(language: Language): Rule[] {
  const { words, endings } = language

  const figures = (text: string) =>
    text.length > 2 || text.startsWith('0') ? spelled(text, language) : readNumber(text, language)
  const marks: Record<string, string> = {
    '.': words.point,
    '-': words.dash,
    _: words.underscore,
    '/': words.slash,
    '@': words.at,
    '+': words.plus,
    '=': words.equals,
    '&': words.and,
    '#': words.hash,
    '~': words.tilde,
    '%': words.percent,
    ':': words.colon,
  }
  const dictated = (text: string): string =>
    (text.match(/\p{L}+|\d+|[^\p{L}\d]/gu) ?? [])
      .map((part) => {
        if (/^\d/.test(part)) return figures(part)
        if (/^\p{L}/u.test(part)) return part.toLowerCase() === 'www' ? words.www : part
        return marks[part] ?? ' '
      })
      .join(' ')

  /** The last labels of a host are read in their own way: "ponto com ponto bê érre". */
  const hostOf = (text: string): string =>
    text
      .split('.')
      .map((part, i) => (i > 0 ? (endings[part.toLowerCase()] ?? dictated(part)) : dictated(part)))
      .join(` ${words.point} `)

  const place = (rest = '') => (rest === '' || rest === '/' ? '' : ` ${dictated(rest.replace(/\/$/, ''))}`)

  return [
    [
      new RegExp(
        `(?<![\\p{L}\\p{N}._%+-])([\\p{L}\\p{N}][\\p{L}\\p{N}._%+-]{0,63})@(${host}(?:\\.${host}){1,5})`,
        'giu',
      ),
      (_, local = '', name = '') => `${dictated(local)} ${words.at} ${hostOf(name)}`,
    ],
    [
      new RegExp(
        `${START}(?:https?://|ftp://)?(${host}(?:\\.${host}){1,6})(?::(\\d{1,5}))?(/[^\\s<>"'()\\[\\]{}]{0,300}[\\p{L}\\p{N}/=_-]|/)?`,
        'giu',
      ),
      (all, name = '', port = '', path = '') => {
        const isSure = /^(https?|ftp):/i.test(all) || /^www\./i.test(name)
        // «fim.Depois» only lacks a space.
        if (!isSure && (!knownEnding.test(name) || /\.\p{Lu}\p{Ll}/u.test(name))) return all
        return hostOf(name) + (port ? ` ${words.colon} ${figures(port)}` : '') + place(path)
      },
    ],
    [
      new RegExp(`(?<![\\p{L}\\p{N}])@([\\p{L}][\\p{L}\\p{N}._]{0,40})${END}`, 'gu'),
      (_, name = '') => `${words.at} ${dictated(name)}`,
    ],
  ]
}
