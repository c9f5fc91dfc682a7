// The command palette: a keyboard-driven search for pages, records and actions.
import { Kbd, Modal, Text, TextInput } from '@mantine/core'
import {
  IconBolt,
  IconBook,
  IconExternalLink,
  IconFile,
  IconHash,
  IconPhoneCall,
  IconRobot,
  IconSearch,
  IconSpeakerphone,
  IconTool,
  IconUser,
} from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useTexts } from '../../i18n/language-provider.tsx'
import styles from './palette.module.css'
import { useEntries } from './palette-entries.ts'
import { type Entry, type Kind, nextEntry, ranked } from './palette-ranking.ts'
import { paletteTexts } from './palette-texts.ts'

const icons = {
  action: IconBolt,
  page: IconFile,
  agent: IconRobot,
  number: IconHash,
  campaign: IconSpeakerphone,
  tool: IconTool,
  person: IconUser,
  call: IconPhoneCall,
  guide: IconBook,
} as const satisfies Record<Kind, unknown>

export function Palette({
  isOpen,
  close,
  showShortcuts,
}: {
  isOpen: boolean
  close: () => void
  showShortcuts: () => void
}) {
  const t = useTexts(paletteTexts)
  return (
    <Modal.Root opened={isOpen} onClose={close} size="lg" yOffset="12dvh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label={t.title} radius="lg">
        <Modal.Body p={0}>
          <Search close={close} showShortcuts={showShortcuts} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ close, showShortcuts }: { close: () => void; showShortcuts: () => void }) {
  const t = useTexts(paletteTexts)
  const base = useId()
  const [text, setText] = useState('')
  const [current, setCurrent] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const groups = ranked(useEntries(showShortcuts, text), text)
  const shown = groups.flatMap(({ entries }) => entries)
  const at = Math.min(current, Math.max(0, shown.length - 1))
  const optionId = (i: number) => `${base}-${i}`
  const option = (i: number) => list.current?.querySelector<HTMLElement>(`#${CSS.escape(optionId(i))}`)
  useEffect(() => {
    list.current?.querySelector(`#${CSS.escape(`${base}-${at}`)}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, base])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      // Clicks the option itself, so that a page with unsaved changes asks first, as for any other link.
      option(at)?.click()
      return
    }
    const isInText = (event.key === 'Home' || event.key === 'End') && text !== ''
    const next = isInText ? null : nextEntry(event.key, at, shown.length)
    if (next === null) return
    event.preventDefault()
    setCurrent(next)
  }
  let index = 0
  return (
    <>
      <TextInput
        data-autofocus
        size="lg"
        variant="unstyled"
        className={styles.field}
        leftSection={<IconSearch size={20} aria-hidden />}
        placeholder={t.placeholder}
        value={text}
        maxLength={80}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setCurrent(0)
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-label={t.title}
        aria-expanded={shown.length > 0}
        aria-controls={`${base}-list`}
        aria-autocomplete="list"
        {...(shown.length > 0 ? { 'aria-activedescendant': optionId(at) } : {})}
        autoComplete="off"
        spellCheck={false}
      />
      <div ref={list} id={`${base}-list`} role="listbox" aria-label={t.title} className={styles.list}>
        {groups.map(({ kind, entries }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
          <div key={kind} role="group" aria-label={t.kind[kind]}>
            <div className={styles.kind} aria-hidden>
              {t.kind[kind]}
            </div>
            {entries.map((entry) => {
              const i = index++
              return (
                <Option
                  key={entry.id}
                  id={optionId(i)}
                  entry={entry}
                  isCurrent={i === at}
                  point={() => setCurrent(i)}
                  close={close}
                />
              )
            })}
          </div>
        ))}
      </div>
      <div className={styles.foot}>
        <Text size="xs" c="dimmed" role="status">
          {shown.length === 0 ? t.none : t.count(shown.length)}
        </Text>
        <Text size="xs" c="dimmed" component="div" visibleFrom="sm">
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {t.hints.move} · <Kbd size="xs">Enter</Kbd> {t.hints.choose} ·{' '}
          <Kbd size="xs">Esc</Kbd> {t.hints.close}
        </Text>
      </div>
    </>
  )
}

function Option({
  id,
  entry,
  isCurrent,
  point,
  close,
}: {
  id: string
  entry: Entry
  isCurrent: boolean
  point: () => void
  close: () => void
}) {
  const Icon = icons[entry.kind]
  const content = (
    <>
      <Icon size={17} stroke={1.7} aria-hidden className={styles.icon} />
      <span className={styles.name}>{entry.name}</span>
      {entry.detail && <span className={styles.detail}>{entry.detail}</span>}
      {'isOutside' in entry && <IconExternalLink size={15} aria-hidden className={styles.icon} />}
    </>
  )
  const shared = {
    id,
    role: 'option',
    'aria-selected': isCurrent,
    tabIndex: -1,
    className: styles.option ?? '',
    onMouseMove: point,
  }
  if ('run' in entry)
    return (
      <button
        type="button"
        {...shared}
        onClick={() => {
          close()
          entry.run()
        }}
      >
        {content}
      </button>
    )
  if (entry.isOutside)
    return (
      <a href={entry.to} target="_blank" rel="noopener" {...shared} onClick={close}>
        {content}
      </a>
    )
  return (
    <Link href={entry.to} {...shared} onClick={close}>
      {content}
    </Link>
  )
}
