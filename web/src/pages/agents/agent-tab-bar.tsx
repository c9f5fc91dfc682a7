// The sticky bar at the top of the agent page: the tab groups, and Save.
import { Button, Group, Tabs, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowBackUp } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { ProblemMark } from '../../components/problem-mark.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMayChange } from '../../organization.ts'
import { useUnsavedWarning } from '../../unsaved-changes.ts'
import styles from './agent.module.css'
import { groupOf, type TabName, tabGroups } from './agent-tabs.ts'
import { agentTexts } from './agent-texts.ts'

export function AgentTabBar({
  tab,
  marked,
  isDirty,
  isSaving,
  onSave,
  onDiscard,
  children,
}: {
  tab: TabName
  marked: readonly TabName[]
  isDirty: boolean
  isSaving: boolean
  onSave: () => void
  onDiscard: () => void
  children?: ReactNode
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(agentTexts) }
  const isWide = useMediaQuery('(min-width: 62em)')
  useUnsavedWarning(isDirty)
  const mayChange = useMayChange()
  const status = isDirty ? t.unsaved : ''
  return (
    <div className={styles.bar}>
      <ScrollingTabs tab={tab}>
        {tabGroups.map(({ group }) => (
          <Tabs.Tab
            key={group}
            value={group}
            className={styles.tab ?? ''}
            rightSection={marked.some((one) => groupOf(one) === group) ? <ProblemMark /> : undefined}
          >
            {t.group[group]}
          </Tabs.Tab>
        ))}
      </ScrollingTabs>
      <Group gap="xs" wrap="nowrap" className={styles.actions}>
        {isWide ? (
          <Text size="sm" c="dimmed" role="status">
            {status}
          </Text>
        ) : (
          <VisuallyHidden role="status">{status}</VisuallyHidden>
        )}
        {children}
        {isDirty && (
          <Button variant="default" size="xs" px={10} onClick={onDiscard} disabled={isSaving} aria-label={t.discard}>
            <IconArrowBackUp size={16} aria-hidden />
            <Text span inherit visibleFrom="xs" ml={6}>
              {t.discard}
            </Text>
          </Button>
        )}
        <Button size="xs" loading={isSaving} disabled={!isDirty || !mayChange} onClick={onSave}>
          {t.save}
        </Button>
      </Group>
    </div>
  )
}

/** Tabs that do not fit scroll, with a faded edge where more follow; the active tab stays in view. */
function ScrollingTabs({ tab, children }: { tab: TabName; children: ReactNode }) {
  const t = useTexts(agentTexts)
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another tab is opened
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [tab])
  useEffect(() => {
    const box = list.current
    if (!box) return
    const fade = () => {
      const rest = box.scrollWidth - box.clientWidth - box.scrollLeft
      box.dataset.fade = `${box.scrollLeft > 4 ? 'start' : ''} ${rest > 4 ? 'end' : ''}`.trim()
    }
    fade()
    box.addEventListener('scroll', fade, { passive: true })
    const sizes = new ResizeObserver(fade)
    sizes.observe(box)
    return () => {
      box.removeEventListener('scroll', fade)
      sizes.disconnect()
    }
  }, [])
  return (
    <Tabs.List ref={list} aria-label={t.tabs} className={styles.tabs ?? ''}>
      {children}
    </Tabs.List>
  )
}
