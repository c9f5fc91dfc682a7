// The chat view: messages, and a form to send one.
import { button, element, icon } from './elements.ts'
import { messageLog } from './message-log.ts'
import { WidgetFailure, type WidgetServer } from './server.ts'
import type { WidgetError, WidgetTexts } from './texts.ts'

export type ChatViewParts = {
  server: WidgetServer
  texts: WidgetTexts
  greeting: string
  maxText: number
  onMessage: (who: 'visitor' | 'agent') => void
}

export function chatView({ server, texts, greeting, maxText, onMessage }: ChatViewParts) {
  const log = messageLog(texts, texts.messages)
  const input = element('textarea', {
    rows: '1',
    maxlength: String(maxText),
    'aria-label': texts.write,
    placeholder: texts.write,
    enterkeyhint: 'send',
  })
  const sendButton = button(texts.send, { class: 'send', type: 'submit' }, icon('send'))
  const form = element('form', {}, input, sendButton)
  const notice = element('div', { class: 'notice', role: 'alert', hidden: true })
  const again = button(texts.newChat, { class: 'main' }, texts.newChat)
  const restart = element('div', { class: 'actions', hidden: true }, again)
  const view = element('div', { class: 'view' }, log.list, notice, restart, form)
  let isBusy = false
  let isLoaded = false

  function show(reason: WidgetError | null): void {
    notice.hidden = reason === null
    notice.textContent = reason === null ? '' : texts.errors[reason]
    const isOver = reason === 'chatOver'
    restart.hidden = !isOver
    form.hidden = isOver
  }

  async function send(): Promise<void> {
    const text = input.value.trim()
    if (text === '' || isBusy) return
    isBusy = true
    show(null)
    input.value = ''
    log.add('visitor', text)
    onMessage('visitor')
    const waiting = log.addNote(texts.writing)
    let write: ((text: string) => void) | undefined
    try {
      await server.say(text, (soFar) => {
        waiting.remove()
        write ??= log.add('agent', '')
        write(soFar)
      })
      onMessage('agent')
    } catch (error) {
      show(error instanceof WidgetFailure ? error.reason : 'unavailable')
      if (!write && input.value === '') input.value = text // restores the text, so the visitor can send it again
    } finally {
      waiting.remove()
      isBusy = false
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send()
  })
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void send()
  })
  again.addEventListener('click', () => {
    server.forgetChat()
    log.clear()
    log.add('agent', greeting)
    show(null)
    input.focus()
  })

  return {
    view,
    focus: () => input.focus(),
    /** Restores the chat from an earlier page in this tab, when the panel is first opened. */
    async load(): Promise<void> {
      if (isLoaded) return
      isLoaded = true
      log.add('agent', greeting)
      for (const { who, text } of await server.history().catch(() => [])) log.add(who, text)
    },
  }
}
