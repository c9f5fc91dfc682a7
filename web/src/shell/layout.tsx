// The layout of every page: navigation (behind a button on a phone), language, theme and account menu.
import { AppShell, Avatar, Box, Burger, Group, Menu, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconApi, IconBook, IconHelpCircle, IconLogout } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import { guideFor, guideHref, guidesHref } from '../components/page-guides.ts'
import { useLanguage, useTexts } from '../i18n/language-provider.tsx'
import { type Session, useAuth } from '../session.tsx'
import { Logo } from './logo.tsx'
import { MainMenu } from './main-menu.tsx'
import { navigationTexts } from './navigation-texts.ts'
import { OrganizationSwitcher } from './organization-switcher.tsx'
import { PaletteLauncher } from './palette/palette-launcher.tsx'
import { LanguageMenu, ThemeToggle } from './preferences.tsx'

export function Layout({ user, children }: { user: NonNullable<Session['user']>; children: ReactNode }) {
  const t = useTexts(navigationTexts)
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: going anywhere closes the menu of a phone
  useEffect(close, [path])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: { base: 232, sm: 60, md: 232 }, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
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
            <Box visibleFrom="sm">
              <OrganizationSwitcher />
            </Box>
          </Group>
          <Group gap={4} wrap="nowrap">
            <PaletteLauncher />
            <LanguageMenu />
            <ThemeToggle />
            <AccountMenu user={user} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar px="xs" py={6} aria-label={t.pages}>
        <Box hiddenFrom="sm" pb={6}>
          <OrganizationSwitcher isWide />
        </Box>
        <MainMenu user={user} path={path} />
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
  const [path] = useLocation()
  const guide = guideFor(path)
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
        {/* On larger screens it is next to the page title. */}
        {guide && (
          <Menu.Item
            hiddenFrom="sm"
            leftSection={<IconHelpCircle size={16} />}
            component="a"
            href={guideHref(guide, language)}
            target="_blank"
            rel="noopener"
          >
            {t.pageGuide}
          </Menu.Item>
        )}
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
