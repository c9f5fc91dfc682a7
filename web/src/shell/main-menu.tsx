// The navigation menu in groups; icons only on a tablet. The current entry is always in view.
import { AppShell, Divider, NavLink, ScrollArea, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useTexts } from '../i18n/language-provider.tsx'
import { useMayOpen } from '../organization.ts'
import type { Session } from '../session.tsx'
import { navigation } from './navigation.ts'
import { navigationTexts } from './navigation-texts.ts'

type User = NonNullable<Session['user']>
type Places = (typeof navigation)[number]['places']

const placesFor = (user: User, places: Places, mayOpen: (to: string) => boolean) =>
  places.filter((place) => mayOpen(place.to) && (user.role === 'admin' || !('isForAdmins' in place)))

const isAt = (place: string, path: string) =>
  place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`)

/** Matches the width of the navigation bar in the layout. */
const ICONS_ONLY = '(min-width: 48em) and (max-width: 61.99em)'

export function MainMenu({ user, path }: { user: User; path: string }) {
  const t = useTexts(navigationTexts)
  const hasIconsOnly = useMediaQuery(ICONS_ONLY, undefined, { getInitialValueInEffect: false }) ?? false
  const menu = useRef<HTMLDivElement>(null)
  const mayOpen = useMayOpen()
  const groups = navigation
    .map(({ group, places }) => ({ group, places: placesFor(user, places, mayOpen) }))
    .filter(({ places }) => places.length > 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address decides which entry is current
  useEffect(() => {
    menu.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [path, hasIconsOnly])
  return (
    <AppShell.Section grow component={ScrollArea} type="auto" scrollbars="y" scrollbarSize={8} ref={menu}>
      {groups.map(({ group, places }) => (
        <div key={group ?? 'top'}>
          {group &&
            (hasIconsOnly ? (
              <Divider my={4} />
            ) : (
              <Text className="nav-group" c="dimmed">
                {t[group]}
              </Text>
            ))}
          {places.map(({ to, name, Icon }) => (
            <NavLink
              key={to}
              className="nav-link"
              component={Link}
              href={to}
              label={hasIconsOnly ? <VisuallyHidden>{t[name]}</VisuallyHidden> : t[name]}
              title={hasIconsOnly ? t[name] : undefined}
              leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
              active={isAt(to, path)}
              aria-current={isAt(to, path) ? 'page' : undefined}
            />
          ))}
        </div>
      ))}
    </AppShell.Section>
  )
}
