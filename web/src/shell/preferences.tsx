// Language menu and theme toggle, also available before sign-in.
import { ActionIcon, Menu, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { languageNames, languages } from '../i18n/language.ts'
import { useLanguage, useTexts } from '../i18n/language-provider.tsx'
import { navigationTexts } from './navigation-texts.ts'

export function LanguageMenu() {
  const t = useTexts(navigationTexts)
  const { language, choose } = useLanguage()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`${t.language}: ${languageNames[language]}`}>
          <IconLanguage size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((one) => (
          <Menu.Item key={one} lang={one} onClick={() => choose(one)} fw={one === language ? 700 : 400}>
            {languageNames[one]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export function ThemeToggle() {
  const t = useTexts(navigationTexts)
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const name = isDark ? t.light : t.dark
  return (
    <Tooltip label={name}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={name}
        onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
      >
        {isDark ? <IconSun size={20} /> : <IconMoon size={20} />}
      </ActionIcon>
    </Tooltip>
  )
}
