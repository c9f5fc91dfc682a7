// The HTML of the guides: one guide with the list of all at its side, and the list itself.
import type { FramedPage } from '../frame/frame.ts'
import { type Html, html } from '../frame/html.ts'
import type { Guide, Library } from './library.ts'
import { type Heading, renderMarkdown } from './markdown.ts'

const frame = { place: 'guides', styles: '/docs/guides.css', script: '/docs/guides.js', tools: html`` } as const

export function guidePage(guide: Guide, library: Library): FramedPage {
  const { content, headings } = renderMarkdown(guide.source, library.links)
  return {
    ...frame,
    title: guide.title,
    side: guideList(library, guide.name),
    main: html`<article class="guide">${content}${around(guide, library)}</article>${contents(headings)}`,
  }
}

export function guidesPage(library: Library): FramedPage {
  const cards = library.groups.map(
    ({ name, guides }) =>
      html`<section class="guide-group"><h2>${name}</h2><ul class="cards">${guides.map(
        (guide) =>
          html`<li><a href="/guides/${guide.name}"><b>${guide.title}</b><span>${leadOf(guide)}</span></a></li>`,
      )}</ul></section>`,
  )
  const main = html`<div class="start"><h1>Guides</h1><p class="lead">How to set up, use and run Ramal. They belong to this installation and need no internet. In English.</p>${cards}</div>`
  return { ...frame, title: 'Guides', side: guideList(library, null), main }
}

export function missingPage(library: Library): FramedPage {
  const main = html`<article class="guide"><h1>There is no such guide</h1><p>It may have another name: see <a href="/guides">all guides</a>.</p></article>`
  return { ...frame, title: 'Not found', side: guideList(library, null), main }
}

function guideList(library: Library, current: string | null): Html {
  const groups = library.groups.map(
    ({ name, guides }) =>
      html`<li><p>${name}</p><ul>${guides.map(
        (guide) =>
          html`<li data-search="${searchText(guide)}"><a href="/guides/${guide.name}"${guide.name === current && html` aria-current="page"`}>${guide.title}</a></li>`,
      )}</ul></li>`,
  )
  return html`<search><label class="find"><span class="hidden">Find a guide</span><input id="find" type="search" placeholder="Find a guide…" autocomplete="off"></label></search>
<details class="all-guides" open><summary>All guides</summary><nav class="guides" aria-label="Guides"><ul>${groups}</ul><p class="none" role="status" hidden>No guide matches.</p></nav></details>`
}

/** The words of the headings: what a reader looks for. */
const searchText = ({ title, source }: Guide) =>
  [
    title,
    ...source
      .split('\n')
      .filter((line) => line.startsWith('##'))
      .map((line) => line.replaceAll('#', '')),
  ]
    .join(' ')
    .toLowerCase()

function contents(headings: readonly Heading[]): Html | false {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 3) return false
  return html`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${shown.map(
    ({ level, text, id }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`,
  )}</ul></nav>`
}

/** The guides before and after this one. */
function around(guide: Guide, { groups }: Library): Html {
  const all = groups.flatMap(({ guides }) => guides)
  const at = all.indexOf(guide)
  const [before, after] = [all[at - 1], all[at + 1]]
  return html`<nav class="around" aria-label="More guides">${before && html`<a href="/guides/${before.name}"><span>Previous</span>${before.title}</a>`}${
    after && html`<a class="next" href="/guides/${after.name}"><span>Next</span>${after.title}</a>`
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
