// The HTML of the guides: one guide with a side list of all guides, and the list itself.
import type { FramedPage } from '../docs-layout/frame.ts'
import { type Html, html } from '../docs-layout/html.ts'
import { guideLanguages, guideWords } from './language.ts'
import type { Guide, Library } from './library.ts'
import { type Heading, type Rendered, renderMarkdown } from './markdown.ts'

const frame = { place: 'guides', styles: '/docs/guides.css', script: '/docs/guides.js', tools: html`` } as const

const framed = ({ language, root }: Library) => ({ ...frame, language, guides: root })

export function guidePage(guide: Guide, library: Library): FramedPage {
  const { content, headings } = rendered(guide, library)
  const isOther = guide.language !== library.language
  const article = html`<article class="guide"${isOther && html` lang="${guideWords[guide.language].tag}"`}>${content}</article>`
  return {
    ...framed(library),
    title: guide.title,
    side: guideList(library, guide.name),
    main: html`<div class="text">${languages(guide, library)}${article}${around(guide, library)}</div>${contents(headings, library)}`,
  }
}

/** Headings of a translation can also be reached by the ids of the English ones, as long as they correspond. */
function rendered(guide: Guide, library: Library): Rendered {
  const links = library.linksOf(guide)
  const { linkTo } = guideWords[library.language]
  const plain = renderMarkdown(guide.source, links, { linkTo })
  if (!guide.original) return plain
  const english = renderMarkdown(guide.original.source, links).headings
  if (english.length !== plain.headings.length) return plain
  return renderMarkdown(guide.source, links, { linkTo, otherIds: english.map(({ id }) => id) })
}

/** The same guide in the other languages, and a note if it is not translated. */
function languages({ name, language }: Guide, library: Library): Html | false {
  const t = guideWords[library.language]
  const others = guideLanguages.filter((one) => one !== library.language && library.isIn(name, one))
  const links = others.map((one) => {
    const { tag, name: text } = guideWords[one]
    return html`<a href="/guides/${one}/${name}" hreflang="${tag}" lang="${tag}">${text}</a>`
  })
  if (language !== library.language) return html`<p class="languages" role="note">${t.onlyEnglish}</p>`
  return links.length > 0 && html`<nav class="languages" aria-label="${t.thisGuideIn}">${links}</nav>`
}

export function guidesPage(library: Library): FramedPage {
  const t = guideWords[library.language]
  const cards = library.groups.map(
    ({ name, guides }) =>
      html`<section class="guide-group"><h2>${t.groups[name]}</h2><ul class="cards">${guides.map(
        (guide) =>
          html`<li><a href="${library.root}/${guide.name}"${langOf(guide, library)}><b>${guide.title}</b>${isForeign(guide, library) && html` <small lang="${t.tag}">(${t.inEnglish})</small>`}<span>${leadOf(guide)}</span></a></li>`,
      )}</ul></section>`,
  )
  const others = guideLanguages.filter((one) => one !== library.language)
  const links = others.map(
    (one) =>
      html`<a href="/guides/${one}" hreflang="${guideWords[one].tag}" lang="${guideWords[one].tag}">${guideWords[one].name}</a>`,
  )
  const main = html`<div class="start"><nav class="languages" aria-label="${t.thisGuideIn}">${links}</nav><h1>${t.title}</h1><p class="lead">${t.lead}</p>${cards}</div>`
  return { ...framed(library), title: t.title, side: guideList(library, null), main }
}

export function missingPage(library: Library): FramedPage {
  const t = guideWords[library.language]
  const main = html`<article class="guide"><h1>${t.missingTitle}</h1><p>${t.missingText}<a href="${library.root}">${t.missingLink}</a>.</p></article>`
  return { ...framed(library), title: t.missing, side: guideList(library, null), main }
}

const isForeign = (guide: Guide, library: Library) => guide.language !== library.language
const langOf = (guide: Guide, library: Library) =>
  isForeign(guide, library) && html` lang="${guideWords[guide.language].tag}"`

function guideList(library: Library, current: string | null): Html {
  const t = guideWords[library.language]
  const groups = library.groups.map(
    ({ name, guides }) =>
      html`<li><p>${t.groups[name]}</p><ul>${guides.map(
        (guide) =>
          html`<li data-search="${searchText(guide)}"><a href="${library.root}/${guide.name}"${langOf(guide, library)}${guide.name === current && html` aria-current="page"`}>${guide.title}</a></li>`,
      )}</ul></li>`,
  )
  return html`<search><label class="find"><span class="hidden">${t.find}</span><input id="find" type="search" placeholder="${t.find}…" autocomplete="off"></label></search>
<details class="all-guides" open><summary>${t.all}</summary><nav class="guides" aria-label="${t.title}"><ul>${groups}</ul><p class="none" role="status" hidden>${t.noMatch}</p></nav></details>`
}

/** The words of the headings, also in English, for readers who search. */
const searchText = ({ title, source, original }: Guide): string =>
  [
    title,
    ...source
      .split('\n')
      .filter((line) => line.startsWith('##'))
      .map((line) => line.replaceAll('#', '')),
    original ? searchText(original) : '',
  ]
    .join(' ')
    .toLowerCase()

function contents(headings: readonly Heading[], { language }: Library): Html | false {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 3) return false
  const t = guideWords[language]
  return html`<nav class="contents" aria-label="${t.contents}"><p>${t.contents}</p><ul>${shown.map(
    ({ level, text, id }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`,
  )}</ul></nav>`
}

/** The previous and next guides. */
function around(guide: Guide, library: Library): Html {
  const t = guideWords[library.language]
  const all = library.groups.flatMap(({ guides }) => guides)
  const at = all.indexOf(guide)
  const [before, after] = [all[at - 1], all[at + 1]]
  return html`<nav class="around" aria-label="${t.more}">${before && html`<a href="${library.root}/${before.name}"><span>${t.previous}</span>${before.title}</a>`}${
    after && html`<a class="next" href="${library.root}/${after.name}"><span>${t.next}</span>${after.title}</a>`
  }</nav>`
}

const MAX_LEAD = 140

/** The first sentence of a guide, without markup. */
function leadOf({ source }: Guide): string {
  const paragraph = source
    .split(/\n{2,}/, 4)
    .slice(1)
    .find((part) => /^[\p{L}*]/u.test(part))
  const text = (paragraph ?? '')
    .replaceAll(/\]\([^()\s]{1,300}\)/g, '')
    .replaceAll(/[[\]*`]/g, '')
    .replaceAll('\n', ' ')
  const end = text.indexOf('. ')
  const sentence = end === -1 ? text : text.slice(0, end + 1)
  return sentence.length > MAX_LEAD ? `${sentence.slice(0, sentence.lastIndexOf(' ', MAX_LEAD))}…` : sentence
}
