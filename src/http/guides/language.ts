// The guides' languages: which one a reader gets, and the UI texts around the guides.
import type { PageLanguage } from '../docs-layout/frame.ts'

export const guideLanguages: readonly PageLanguage[] = ['en', 'pt']

/** More entries than any browser sends in Accept-Language. */
const MAX_TAGS = 20

/** The first language in an Accept-Language header that we have; otherwise English. */
export function preferredLanguage(header: string | undefined): PageLanguage {
  const tags = (header ?? '').toLowerCase().split(',', MAX_TAGS).map(weighted)
  const known = tags.flatMap(({ tag, weight }) => {
    const language = guideLanguages.find((one) => tag === one || tag.startsWith(`${one}-`))
    return language && weight > 0 ? [{ language, weight }] : []
  })
  return known.sort((a, b) => b.weight - a.weight)[0]?.language ?? 'en'
}

function weighted(entry: string): { tag: string; weight: number } {
  const [tag = '', parameter = 'q=1'] = entry.split(';', 2).map((text) => text.trim())
  const weight = Number(parameter.startsWith('q=') ? parameter.slice(2) : 1)
  return { tag, weight: Number.isFinite(weight) ? weight : 0 }
}

export const guideWords = {
  en: {
    tag: 'en',
    name: 'English',
    title: 'Guides',
    lead: 'How to set up, use and run Ramal. They belong to this installation and need no internet.',
    all: 'All guides',
    find: 'Find a guide',
    noMatch: 'No guide matches.',
    contents: 'On this page',
    more: 'More guides',
    previous: 'Previous',
    next: 'Next',
    linkTo: 'Link to',
    onlyEnglish: '',
    inEnglish: '',
    thisGuideIn: 'This guide in another language',
    missing: 'Not found',
    missingTitle: 'There is no such guide',
    missingText: 'It may have another name: see ',
    missingLink: 'all guides',
    groups: {
      Start: 'Start',
      Agents: 'Agents',
      Channels: 'Channels',
      'Run it': 'Run it',
      'Program it': 'Program it',
      More: 'More',
    },
  },
  pt: {
    tag: 'pt-BR',
    name: 'Português',
    title: 'Guias',
    lead: 'Como instalar, usar e operar o Ramal. Os guias fazem parte desta instalação e não precisam de internet.',
    all: 'Todos os guias',
    find: 'Buscar um guia',
    noMatch: 'Nenhum guia encontrado.',
    contents: 'Nesta página',
    more: 'Mais guias',
    previous: 'Anterior',
    next: 'Próximo',
    linkTo: 'Link para',
    onlyEnglish: 'Este guia existe só em inglês.',
    inEnglish: 'em inglês',
    thisGuideIn: 'Este guia em outro idioma',
    missing: 'Não encontrado',
    missingTitle: 'Este guia não existe',
    missingText: 'Talvez ele tenha outro nome: veja ',
    missingLink: 'todos os guias',
    groups: {
      Start: 'Primeiros passos',
      Agents: 'Agentes',
      Channels: 'Canais',
      'Run it': 'Operação',
      'Program it': 'Integração',
      More: 'Mais',
    },
  },
} as const satisfies Record<PageLanguage, object>
export type GuideGroupName = keyof (typeof guideWords)['en']['groups']
