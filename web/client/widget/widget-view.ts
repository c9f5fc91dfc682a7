// One widget on a page: button, panel with tabs, keyboard and focus, all inside one shadow root.
import { callView } from './call-view.ts'
import { chatView } from './chat-view.ts'
import { languageOf, type WidgetConfig } from './config.ts'
import { button, element, icon, setAttributes } from './elements.ts'
import { showLogo } from './logo.ts'
import type { WidgetServer } from './server.ts'
import { styleSheets } from './styles.ts'
import { widgetTexts } from './texts.ts'

export type WidgetEvent =
  | { type: 'open' | 'close' | 'callstart' }
  | { type: 'callend'; endReason: string; seconds: number }
  | { type: 'message'; who: 'visitor' | 'agent' }
type Channel = WidgetConfig['channels'][number]
export type WidgetView = ReturnType<typeof showWidget>

export type WidgetViewParts = {
  id: string
  config: WidgetConfig
  server: WidgetServer
  onEvent: (event: WidgetEvent) => void
}

export function showWidget({ id, config, server, onEvent }: WidgetViewParts) {
  const language = languageOf(config.language, [document.documentElement.lang, ...navigator.languages])
  const texts = widgetTexts[language]
  const title = config.title || texts.title
  const greeting = config.greeting || texts.greeting
  const host = element('div', { 'data-ramal-widget': id, lang: language })
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = styleSheets(config)

  const hasChat = config.channels.includes('chat')
  const launcherIcon = icon(hasChat ? 'chat' : 'phone')
  const launcherTime = element('span', { class: 'time', 'aria-hidden': 'true', hidden: true })
  const launcherName = texts.open(config.buttonText || title)
  const launcherText = element('span', { class: 'text', hidden: !config.buttonText }, config.buttonText ?? '')
  const launcher = button(
    launcherName,
    { class: config.buttonText ? 'launcher pill' : 'launcher', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' },
    launcherIcon,
    launcherText,
    launcherTime,
  )
  const close = button(texts.close, {}, icon('close'))
  const heading = element('h2', { id: 'title' }, title)
  const panel = element('div', {
    class: 'panel',
    role: 'dialog',
    'aria-modal': 'true',
    'aria-labelledby': 'title',
    hidden: true,
  })

  const call = callView({
    server,
    texts,
    greeting,
    onStart: () => onEvent({ type: 'callstart' }),
    onEnd: (endReason, seconds) => onEvent({ type: 'callend', endReason, seconds }),
    onTime(text) {
      launcherTime.hidden = text === null
      // The stylesheet renders the time: as text it would be part of the button's accessible name, which would then
      // change every second.
      launcherTime.dataset.time = text ?? ''
      launcher.classList.toggle('live', text !== null)
      launcher.setAttribute('aria-label', text === null ? launcherName : `${launcherName} (${texts.inCall})`)
    },
  })
  const chat = chatView({
    server,
    texts,
    greeting,
    maxText: config.maxText,
    onMessage: (who) => onEvent({ type: 'message', who }),
  })
  const views = { call, chat }
  const tabs = config.channels.length > 1 ? tabList(texts, (channel) => show(channel)) : null
  for (const channel of config.channels)
    setAttributes(
      views[channel].view,
      tabs ? { role: 'tabpanel', id: channel, 'aria-labelledby': `tab-${channel}` } : {},
    )
  if (config.logo) {
    showLogo(config.logo, (image) => launcherIcon.replaceWith(image))
    showLogo(config.logo, (image) => heading.before(image))
  }
  panel.append(
    element('header', {}, heading, close),
    ...(tabs ? [tabs.list] : []),
    ...config.channels.map((name) => views[name].view),
  )
  root.append(launcher, panel)

  let shown: Channel = hasChat ? 'chat' : 'call'
  let focusedBefore: Element | null = null

  function show(channel: Channel): void {
    if (!config.channels.includes(channel)) return
    shown = channel
    tabs?.select(channel)
    for (const name of config.channels) views[name].view.hidden = name !== channel
    if (channel === 'chat') void chat.load()
  }

  /** Pass false for `takesFocus` in the preview, which must not steal focus from the form beside it. */
  function open(channel: Channel = call.isInCall() ? 'call' : shown, takesFocus = true): void {
    show(channel)
    if (!panel.hidden) {
      views[shown].focus()
      return
    }
    focusedBefore = document.activeElement
    panel.hidden = false
    launcher.setAttribute('aria-expanded', 'true')
    if (takesFocus) views[shown].focus()
    onEvent({ type: 'open' })
  }

  function closePanel(): void {
    if (panel.hidden) return
    panel.hidden = true
    launcher.setAttribute('aria-expanded', 'false')
    const isOutside = focusedBefore instanceof HTMLElement && focusedBefore !== host && focusedBefore !== document.body
    if (isOutside) (focusedBefore as HTMLElement).focus()
    else launcher.focus()
    onEvent({ type: 'close' })
  }

  launcher.addEventListener('click', () => (panel.hidden ? open() : closePanel()))
  close.addEventListener('click', closePanel)
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      closePanel()
    } else if (event.key === 'Tab') keepFocus(root, panel, event)
  })
  document.body.append(host)
  show(shown)

  return {
    open,
    close: closePanel,
    /** Opens the panel and starts a call; browsers require a user gesture for this. */
    async call(): Promise<void> {
      open('call')
      if (config.channels.includes('call')) await call.begin()
    },
    hangUp: call.stop,
    isOpen: () => !panel.hidden,
    channel: () => shown,
    remove(): void {
      call.stop()
      host.remove()
    },
  }
}

/** Traps the focus in the panel while it is open. */
function keepFocus(root: ShadowRoot, panel: Element, event: KeyboardEvent): void {
  const all = [...panel.querySelectorAll<HTMLElement>('button, textarea, [tabindex="0"]')]
  const reachable = all.filter((one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility())
  const edge = event.shiftKey ? reachable[0] : reachable.at(-1)
  if (root.activeElement !== edge) return
  event.preventDefault()
  ;(event.shiftKey ? reachable.at(-1) : reachable[0])?.focus()
}

function tabList(texts: { callTab: string; chatTab: string }, onSelect: (channel: Channel) => void) {
  const tab = (channel: Channel, label: string) =>
    button(
      label,
      { role: 'tab', id: `tab-${channel}`, 'aria-controls': channel },
      icon(channel === 'call' ? 'phone' : 'chat'),
      label,
    )
  const made = { chat: tab('chat', texts.chatTab), call: tab('call', texts.callTab) }
  const list = element('div', { class: 'tabs', role: 'tablist' }, made.chat, made.call)
  for (const [channel, one] of Object.entries(made) as [Channel, HTMLElement][]) {
    one.addEventListener('click', () => onSelect(channel))
    one.addEventListener('keydown', ({ key }) => {
      if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
      const other = channel === 'call' ? 'chat' : 'call'
      onSelect(other)
      made[other].focus()
    })
  }
  return {
    list,
    select(channel: Channel): void {
      for (const [name, one] of Object.entries(made)) {
        one.setAttribute('aria-selected', String(name === channel))
        one.tabIndex = name === channel ? 0 : -1
      }
    },
  }
}
