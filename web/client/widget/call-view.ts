// The call view: start, microphone, timer, level meter, live transcript, mute and hang up.
import type { CallEvent, WebCall } from '../web-call.ts'
import { clockText } from './config.ts'
import { button, element, icon } from './elements.ts'
import { messageLog } from './message-log.ts'
import { WidgetFailure, type WidgetServer } from './server.ts'
import type { WidgetTexts } from './texts.ts'

export type CallViewParts = {
  server: WidgetServer
  texts: WidgetTexts
  greeting: string
  onStart: () => void
  onEnd: (endReason: string, seconds: number) => void
  /** Called every second during a call, and with null when it is over. */
  onTime: (text: string | null) => void
}

type Running = { call: WebCall | null; startedAt: number; isLeft: boolean }

export function callView({ server, texts, greeting, onStart, onEnd, onTime }: CallViewParts) {
  const start = button(texts.startCall, { class: 'main' }, icon('phone'), texts.startCall)
  const headline = element('p', { class: 'greeting' }, greeting)
  const hint = element('p', { class: 'soft' }, texts.callHint)
  const idle = element('div', { class: 'middle' }, headline, hint, start)
  const notice = element('div', { class: 'notice', role: 'alert', hidden: true })

  const dot = element('span', { class: 'dot waiting' })
  const state = element('span', { role: 'status' }, texts.connecting)
  const time = element('span', { class: 'time', role: 'timer', 'aria-live': 'off' }, '')
  const log = messageLog(texts, texts.transcript)
  const bar = element('i')
  const level = element('div', { class: 'level', role: 'img', 'aria-label': texts.level }, bar)
  const muteLabel = element('span', {}, texts.mute)
  const mute = button(texts.mute, { 'aria-pressed': 'false', 'aria-label': undefined }, icon('microphone'), muteLabel)
  const hangUp = button(texts.hangUp, { class: 'hangup' }, icon('phone'), texts.hangUp)
  const live = element(
    'div',
    { class: 'view', hidden: true },
    element('div', { class: 'status' }, dot, state, time),
    log.list,
    level,
    element('div', { class: 'actions' }, mute, hangUp),
  )
  const view = element('div', { class: 'view' }, idle, live, notice)

  let running: Running | null = null
  let timer: ReturnType<typeof setInterval> | undefined
  let isMuted = false

  const secondsOf = ({ startedAt }: Running) => (startedAt === 0 ? 0 : (performance.now() - startedAt) / 1000)
  const seconds = () => (running ? secondsOf(running) : 0)

  function setState(text: string, isWaiting: boolean): void {
    state.textContent = text
    dot.classList.toggle('waiting', isWaiting)
  }

  function setMuted(next: boolean): void {
    isMuted = next
    running?.call?.mute(next)
    mute.replaceChildren(icon(next ? 'off' : 'microphone'), muteLabel)
    muteLabel.textContent = next ? texts.unmute : texts.mute
    mute.setAttribute('aria-pressed', String(next))
    if (running?.call) setState(next ? texts.muted : texts.inCall, next)
  }

  function onEvent(of: Running, event: CallEvent): void {
    if (of !== running) return
    if (event.type === 'said') log.add(event.who === 'agent' ? 'agent' : 'visitor', event.text)
    else if (event.type === 'reconnecting') setState(texts.reconnecting, true)
    else if (event.type === 'resumed') setMuted(isMuted)
    else if (event.type === 'ended' && of.call) finish(event.endReason) // a call that never started ends in an error
  }

  function finish(endReason: string): void {
    const lasted = seconds()
    const hadFocus = live.contains((view.getRootNode() as ShadowRoot).activeElement)
    running = null
    clearInterval(timer)
    onTime(null)
    bar.style.setProperty('--level', '0')
    headline.textContent = texts.ended
    hint.textContent = texts.lasted(clockText(lasted))
    start.replaceChildren(icon('phone'), texts.callAgain)
    // Keeps the transcript, so the visitor can still read it.
    idle.append(log.list)
    idle.hidden = false
    live.hidden = true
    if (hadFocus) start.focus()
    onEnd(endReason, Math.round(lasted))
  }

  function tick(): void {
    time.textContent = clockText(seconds())
    onTime(time.textContent)
  }

  async function begin(): Promise<void> {
    if (running) return
    const mine: Running = { call: null, startedAt: 0, isLeft: false }
    running = mine
    notice.hidden = true
    log.clear()
    level.before(log.list)
    time.textContent = ''
    idle.hidden = true
    live.hidden = false
    mute.disabled = true
    setMuted(false)
    setState(texts.connecting, true)
    hangUp.focus()
    try {
      const call = await server.call({
        onEvent: (event) => onEvent(mine, event),
        onLevel: ({ caller }) => bar.style.setProperty('--level', String(caller)),
      })
      if (mine.isLeft || running !== mine) return call.stop()
      Object.assign(mine, { call, startedAt: performance.now() })
      mute.disabled = false
      setState(texts.inCall, false)
      timer = setInterval(tick, 1000)
      tick()
      onStart()
    } catch (error) {
      if (running === mine) fail(error)
    }
  }

  function fail(error: unknown): void {
    running = null
    onTime(null)
    idle.hidden = false
    live.hidden = true
    notice.hidden = false
    notice.textContent = texts.errors[error instanceof WidgetFailure ? error.reason : 'connection']
    start.focus()
  }

  start.addEventListener('click', () => void begin())
  mute.addEventListener('click', () => setMuted(!isMuted))
  hangUp.addEventListener('click', () => stop())

  function stop(): void {
    if (!running) return
    running.isLeft = true
    if (running.call) running.call.stop()
    else finish('caller_hangup')
  }

  return { view, begin, stop, focus: () => (running ? hangUp : start).focus(), isInCall: () => running !== null }
}
