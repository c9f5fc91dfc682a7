// Normalization rules for abbreviations and symbols.
import { END, type Language, type Rule, START } from './language.ts'

/** A lower-case key matches any case; any other key matches exactly. */
export function abbreviationRules(language: Language): Rule[] {
  const spoken = new Map(Object.entries(language.abbreviations))
  const pattern = [...spoken.keys()]
    .sort((a, b) => b.length - a.length)
    .map((written) => written.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&') + (/[\p{L}\p{N}]$/u.test(written) ? END : ''))
    .join('|')
  return [
    [
      new RegExp(`${START}(?:${pattern})(?=([ \\t]{0,9}(?:\\n|$))|)`, 'giu'),
      (all, end) => {
        const exact = spoken.get(all)
        const found = exact ?? spoken.get(all.toLowerCase())
        if (found === undefined) return all
        const said = exact === undefined ? capitalized(found) : found
        return end !== undefined && all.endsWith('.') ? `${said}.` : said
      },
    ],
  ]
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Signs whose meaning depends on the digits beside them: applied while those are still digits. */
export function numberSymbolRules({ words }: Language): Rule[] {
  return [
    [/(?<=\p{L})\+\+(?![\p{L}\p{N}+])/gu, () => ` ${words.plus} ${words.plus}`],
    [/#(?=\p{Lu}{1,3}-?\p{N})/gu, () => `${words.number} `],
    [/#(?=[\p{L}])/gu, () => `${words.hashtag} `],
    [/#(?=\s?\p{N})/gu, () => `${words.number} `],
    [/(?<![\p{L}\p{N}])#(?![\p{L}\p{N}])/gu, () => words.hash],
    [/(?<=\p{N})\s?\*\s?(?=\p{N})/gu, () => ` ${words.by} `],
    [/(?<![\p{L}\p{N}*])\*(?![\p{L}\p{N}*])/gu, () => words.star],
    [/(?<=\p{N})\s?<\s?(?=\p{N})/gu, () => ` ${words.less} `],
    [/(?<=\p{N})\s?>\s?(?=\p{N})/gu, () => ` ${words.more} `],
    [/(?<=\p{N})\s?[-−]\s?(?=[\d.,]{1,15}\s?=)/gu, () => ` ${words.minus} `],
    [/~(?=\s?\p{N})/gu, () => `${words.about} `],
    [/(?<![\p{L}\p{N}+])\+(?=\p{N})/gu, () => `${words.plus} `],
  ]
}

/** The rest, after units and fractions have used their slash. Signs left after that are not spoken. */
export function symbolRules({ words }: Language): Rule[] {
  return [
    [/\s?&\s?/g, () => ` ${words.and} `],
    [/(?<=[\p{L}\p{N}])\s?\+\s?(?=[\p{L}\p{N}])/gu, () => ` ${words.plus} `],
    [/(?<=[\p{L}\p{N}])\+(?![\p{L}\p{N}+])/gu, () => ` ${words.plus}`],
    [/(?<=[\p{L}\p{N})])\s?=\s?(?=[\p{L}\p{N}(-])/gu, () => ` ${words.equals} `],
    [/(?<=\s|^)@(?=\s|$)/g, () => words.at],
    [/(?<=[\p{L}\p{N}])\s?\/\s?(?=[\p{L}\p{N}])/gu, () => ` ${words.slash} `],
    [/[#*_~`^\\|<>{}[\]=+/]/g, () => ' '],
  ]
}
