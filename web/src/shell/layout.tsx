// The layout of every page: navigation (behind a button on a phone), language, theme and account menu.
import { AppShell, Avatar, Burger, Group, Menu, NavLink, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconApi, IconBook, IconLogout } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { guidesHref } from '../components/page-guides.ts'
import { useLanguage, useTexts } from '../i18n/language-provider.tsx'
import { type Session, useAuth } from '../session.tsx'
import { Logo } from './logo.tsx'
import { navigation } from './navigation.ts'
import { navigationTexts } from './navigation-texts.ts'
import { PaletteLauncher } from './palette/palette-launcher.tsx'
import { LanguageMenu, ThemeToggle } from './preferences.tsx'

type Places = (typeof navigation)[number]['places']

const placesFor = (user: NonNullable<Session['user']>, places: Places) =>
  places.filter((place) => user.role === 'admin' || !('isForAdmins' in place))

const isAt = (place: string, path: string) =>
  place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`)

export function Layout({ user, children }: { user: NonNullable<Session['user']>; children: ReactNode }) {
  const t = useTexts(navigationTexts)
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: going anywhere closes the menu of a phone
  useEffect(close, [path])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a className="skip-link" href="#content">
        {t.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t.menu}
              aria-expanded={isOpen}
            />
            <Logo />
          </Group>
          <Group gap={4} wrap="nowrap">
            <PaletteLauncher />
            <LanguageMenu />
            <ThemeToggle />
            <AccountMenu user={user} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t.pages}>
        <AppShell.Section grow component={ScrollArea}>
          {navigation.map(({ group, places }) => (
            <div key={group ?? 'top'}>
              {group && (
                <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4}>
                  {t[group]}
                </Text>
              )}
              {placesFor(user, places).map(({ to, name, Icon }) => (
                <NavLink
                  key={to}
                  className="nav-link"
                  component={Link}
                  href={to}
                  label={t[name]}
                  leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
                  active={isAt(to, path)}
                  aria-current={isAt(to, path) ? 'page' : undefined}
                />
              ))}
            </div>
          ))}
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className="ground">
        <div style={{ maxWidth: 1240, margin: '0 auto' }}>{children}</div>
      </AppShell.Main>
    </AppShell>
  )
}

function AccountMenu({ user }: { user: NonNullable<Session['user']> }) {
  const t = useTexts(navigationTexts)
  const { language } = useLanguage()
  const { signOut } = useAuth()
  const name = user.email ?? user.name
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton aria-label={`${t.account}: ${name}`} ml={4}>
          <Avatar color="ramal" radius="xl" size={32} alt="" aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{name}</Menu.Label>
        <Menu.Item
          leftSection={<IconBook size={16} />}
          component="a"
          href={guidesHref(language)}
          target="_blank"
          rel="noopener"
        >
          {t.guides}
        </Menu.Item>
        <Menu.Item leftSection={<IconApi size={16} />} component="a" href="/docs" target="_blank" rel="noopener">
          {t.apiReference}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
