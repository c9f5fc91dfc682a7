// A strip below the header, shown while the server is unreachable.
import { Group, Loader, Text } from '@mantine/core'
import { useIsConnectionLost } from '../connection.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { crashTexts } from './crash-texts.ts'
import styles from './shell.module.css'

export function ConnectionStrip() {
  const t = useTexts(crashTexts)
  const isLost = useIsConnectionLost()
  // The live region must exist before its text, or the text would not be announced.
  return (
    <div role="status" className={styles.stripPlace}>
      {isLost && (
        <Group className={styles.strip} gap="xs" wrap="nowrap">
          <Loader size={14} color="currentColor" aria-hidden />
          <Text size="sm" component="span">
            <b>{t.lost}</b> {t.lostHint}
          </Text>
        </Group>
      )}
    </div>
  )
}
