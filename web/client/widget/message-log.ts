// The transcript of visitor and agent: announced to screen readers, and scrolled to the end unless the reader scrolled
// up.
import { element } from './elements.ts'
import type { WidgetTexts } from './texts.ts'

const NEAR_END_PX = 60

export function messageLog(texts: WidgetTexts, label: string) {
  const list = element('div', { class: 'log', role: 'log', 'aria-label': label, tabindex: '0' })

  function follow(change: () => void): void {
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX
    change()
    if (isAtEnd) list.scrollTop = list.scrollHeight
  }

  return {
    list,
    /** Returns a function that replaces the text while a reply is streaming. */
    add(who: 'visitor' | 'agent', text: string): (text: string) => void {
      const words = element('span', {}, text)
      const name = element('span', { class: 'sr' }, `${who === 'agent' ? texts.agent : texts.you}: `)
      follow(() => list.append(element('div', { class: who }, name, words)))
      return (next) => follow(() => words.replaceChildren(next))
    },
    addNote(text: string): Element {
      const note = element('div', { class: 'writing' }, text)
      follow(() => list.append(note))
      return note
    },
    clear: () => list.replaceChildren(),
    get isEmpty(): boolean {
      return list.childElementCount === 0
    },
  }
}
