// The widget's styles as constructable stylesheets in its shadow root: independent of the page's styles and its
// style-src policy.
import { contrast, textColorOn, type WidgetConfig } from './config.ts'

const DARK_PANEL = '#1d2120'
const LIGHT_PANEL = '#ffffff'
/** Minimum contrast of text (WCAG AA). */
const READABLE = 4.5

/** `extra`: additional rules, used by the preview. */
export function styleSheets({
  color,
  theme,
  position,
}: Pick<WidgetConfig, 'color' | 'theme' | 'position'>): CSSStyleSheet[] {
  const accent = /^#[0-9a-f]{6}$/i.test(color) ? color : '#0b7a5e'
  const dark = darkRules(accent)
  return [
    base,
    sheet(`
      :host { --accent: ${accent}; --on-accent: ${textColorOn(accent)}; ${theme === 'dark' ? dark : lightRules(accent)} }
      ${theme === 'auto' ? `@media (prefers-color-scheme: dark) { :host { ${dark} } }` : ''}
      .launcher, .panel { ${position}: max(20px, env(safe-area-inset-${position})); }
    `),
  ]
}

/** Uses the accent color for text only if it is readable on the panel. */
const lightRules = (accent: string) =>
  `--panel: ${LIGHT_PANEL}; --ink: #16211d; --soft: #5a6661; --line: #dde3e0; --ground: #f2f5f4; --danger: #c02b2b; color-scheme: light;` +
  `--link: ${contrast(accent, LIGHT_PANEL) >= READABLE ? accent : '#16211d'};`
const darkRules = (accent: string) =>
  `--panel: ${DARK_PANEL}; --ink: #eef2f0; --soft: #a9b4af; --line: #39413e; --ground: #2a302e; --danger: #d13c3c; color-scheme: dark;` +
  `--link: ${contrast(accent, DARK_PANEL) >= READABLE ? accent : '#eef2f0'};`

function sheet(css: string): CSSStyleSheet {
  const made = new CSSStyleSheet()
  made.replaceSync(css)
  return made
}

const base = sheet(`
  :host { all: initial !important; }
  * { box-sizing: border-box; margin: 0; }
  [hidden] { display: none !important; }
  .launcher, .panel { position: fixed; z-index: 2147483000; font: 400 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--ink); }
  svg { width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; display: block; }
  button { font: inherit; color: inherit; border: 0; background: none; cursor: pointer; border-radius: 10px; min-height: 40px; }
  button:disabled { cursor: default; opacity: .55; }
  :focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; box-shadow: 0 0 0 2px var(--panel); }

  .launcher { bottom: max(20px, env(safe-area-inset-bottom)); width: 60px; height: 60px; border-radius: 30px; background: var(--accent); color: var(--on-accent);
    display: grid; place-items: center; box-shadow: 0 6px 24px rgb(0 0 0 / .28); transition: transform .15s; }
  .launcher.pill { width: auto; max-width: calc(100vw - 40px); grid-auto-flow: column; justify-content: center; gap: 10px; padding: 0 22px 0 16px; }
  .launcher .text { font-size: 16px; font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .launcher.live .text { display: none; }
  .logo { display: block; width: 40px; height: 40px; object-fit: contain; border-radius: 10px; }
  header .logo { width: 32px; height: 32px; border-radius: 8px; flex: none; }
  .launcher.live .logo { width: 24px; height: 24px; }
  .launcher:hover { transform: scale(1.05); }
  .launcher svg { width: 28px; height: 28px; }
  .launcher .time { font-size: 13px; font-weight: 600; font-variant-numeric: tabular-nums; line-height: 1; }
  .launcher .time::after { content: attr(data-time); }
  .launcher.live { grid-auto-flow: row; gap: 2px; align-content: center; }
  .launcher.live svg { width: 22px; height: 22px; }

  .panel { bottom: calc(max(20px, env(safe-area-inset-bottom)) + 74px); width: 380px; height: min(600px, calc(100dvh - 120px)); display: flex; flex-direction: column;
    background: var(--panel); border: 1px solid var(--line); border-radius: 16px; overflow: hidden; box-shadow: 0 16px 48px rgb(0 0 0 / .26); animation: rise .16s ease-out; }
  @keyframes rise { from { opacity: 0; transform: translateY(12px); } }
  header { background: var(--accent); color: var(--on-accent); padding: 14px 8px 14px 18px; display: flex; align-items: center; gap: 8px; }
  h2 { font: inherit; font-size: 17px; font-weight: 650; flex: 1; overflow-wrap: anywhere; }
  header button { width: 40px; display: grid; place-items: center; }
  header :focus-visible { outline-color: var(--on-accent); box-shadow: none; }
  .tabs { display: flex; border-bottom: 1px solid var(--line); }
  .tabs button { flex: 1; min-height: 44px; border-radius: 0; color: var(--soft); font-weight: 550; border-bottom: 3px solid transparent; display: flex; gap: 8px; align-items: center; justify-content: center; }
  .tabs button svg { width: 18px; height: 18px; }
  .tabs [aria-selected=true] { color: var(--ink); border-bottom-color: var(--link); }
  .tabs :focus-visible { outline-offset: -4px; box-shadow: none; }
  .view { flex: 1; min-height: 0; display: flex; flex-direction: column; }

  .log { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 16px; display: flex; flex-direction: column; gap: 8px; list-style: none; }
  .log > * { max-width: 85%; padding: 9px 13px; border-radius: 14px; overflow-wrap: anywhere; white-space: pre-wrap; }
  .agent { align-self: flex-start; background: var(--ground); border-bottom-left-radius: 4px; }
  .visitor { align-self: flex-end; background: var(--accent); color: var(--on-accent); border-bottom-right-radius: 4px; }
  .log > .writing { color: var(--soft); background: none; padding-inline: 4px; }
  .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .notice { margin: 0 16px 12px; padding: 10px 13px; border-radius: 10px; background: var(--ground); border-left: 4px solid var(--danger); }

  form { display: flex; gap: 8px; align-items: flex-end; padding: 10px 12px max(10px, env(safe-area-inset-bottom)); border-top: 1px solid var(--line); }
  textarea { flex: 1; resize: none; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 12px; padding: 9px 12px; min-height: 42px; max-height: 120px; field-sizing: content; }
  textarea::placeholder { color: var(--soft); opacity: 1; }
  .send { width: 42px; min-height: 42px; border-radius: 12px; background: var(--accent); color: var(--on-accent); display: grid; place-items: center; }
  .send svg { width: 20px; height: 20px; }

  .middle { flex: 1; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 16px; padding: 24px; text-align: center; }
  .middle .greeting { font-size: 18px; font-weight: 600; overflow-wrap: anywhere; }
  .soft { color: var(--soft); }
  .main { background: var(--accent); color: var(--on-accent); font-weight: 600; padding: 12px 22px; border-radius: 26px; min-height: 48px; display: inline-flex; gap: 10px; align-items: center; }
  .main svg { width: 20px; height: 20px; }
  .status { display: flex; align-items: center; gap: 10px; padding: 12px 16px; border-bottom: 1px solid var(--line); font-weight: 550; }
  .status .time { margin-left: auto; font-variant-numeric: tabular-nums; }
  .dot { width: 10px; height: 10px; border-radius: 5px; background: #1a9e5c; animation: pulse 1.6s infinite; }
  .dot.waiting { background: #d99a1c; }
  @keyframes pulse { 50% { opacity: .35; } }
  .level { height: 6px; border-radius: 3px; background: var(--ground); margin: 0 16px 10px; overflow: hidden; }
  .level i { display: block; height: 100%; width: 100%; background: var(--link); transform: scaleX(var(--level, 0)); transform-origin: left; transition: transform .08s linear; }
  .actions { display: flex; gap: 10px; padding: 0 16px max(16px, env(safe-area-inset-bottom)); }
  .actions button { flex: 1; min-height: 46px; border-radius: 23px; display: inline-flex; align-items: center; justify-content: center; gap: 8px; font-weight: 600; padding: 0 12px; background: var(--ground); }
  .actions button svg { width: 20px; height: 20px; }
  .actions .hangup { background: var(--danger); color: #fff; }
  .actions .hangup svg { transform: rotate(135deg); }

  @media (max-width: 480px) {
    .panel { inset: 0 !important; width: auto; height: auto; border: 0; border-radius: 0; }
    .launcher[aria-expanded=true] { display: none; }
    header { padding-top: max(14px, env(safe-area-inset-top)); }
    textarea { font-size: 16px; }
  }
  @media (prefers-reduced-motion: reduce) { *, .panel, .launcher { animation: none !important; transition: none !important; } }
  @media (forced-colors: active) { .launcher, .panel, button { border: 1px solid ButtonText; } }
  @media print { .launcher, .panel { display: none; } }
`)
