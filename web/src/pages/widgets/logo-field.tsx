// The logo of a widget: an uploaded image, scaled down to fit into the settings, or an image URL.
import { Button, FileButton, Group, Image, Text, TextInput } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { MAX_LOGO } from './widget-form.ts'
import { widgetsTexts } from './widgets-texts.ts'

/** Maximum side lengths to try for an uploaded image, until it is small enough. */
const SIDES = [128, 96, 64]

export function LogoField({
  logo,
  setLogo,
  isWrong,
}: {
  logo: string | null
  setLogo: (logo: string | null) => void
  isWrong: boolean
}) {
  const t = useTexts(widgetsTexts)
  const c = useTexts(commonTexts)
  const [isUnread, setUnread] = useState(false)
  const isUploaded = logo?.startsWith('data:') ?? false
  const change = (next: string | null) => {
    setUnread(false)
    setLogo(next)
  }
  const upload = async (file: File | null) => {
    if (!file) return
    const small = await smallImage(file).catch(() => null)
    if (small) change(small)
    else setUnread(true)
  }
  return (
    <Group align="flex-end" gap="xs">
      {isUploaded && logo ? (
        <div style={{ flex: 1 }}>
          <Text size="sm" fw={500} mb={4}>
            {t.logo}
          </Text>
          <Image src={logo} alt={t.logo} h={40} w="auto" maw={120} fit="contain" radius="sm" />
        </div>
      ) : (
        <TextInput
          flex={1}
          miw={200}
          label={t.logo}
          description={t.logoHint}
          placeholder="https://"
          maxLength={500}
          value={logo ?? ''}
          onChange={(event) => change(event.currentTarget.value.trim() || null)}
          error={isUnread ? t.logoUnread : isWrong ? t.logoWrong : undefined}
        />
      )}
      <FileButton accept="image/*" onChange={(file) => void upload(file)}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
            {t.logoUpload}
          </Button>
        )}
      </FileButton>
      {isUploaded && (
        <Button variant="subtle" color="gray" onClick={() => change(null)}>
          {c.remove}
        </Button>
      )}
    </Group>
  )
}

/** Returns a data URL within the size limit; null if the browser cannot decode the image. */
async function smallImage(file: File): Promise<string | null> {
  const image = await createImageBitmap(file)
  for (const side of SIDES)
    for (const type of ['image/png', 'image/webp']) {
      const scale = Math.min(1, side / Math.max(image.width, image.height))
      const canvas = document.createElement('canvas')
      canvas.width = Math.max(1, Math.round(image.width * scale))
      canvas.height = Math.max(1, Math.round(image.height * scale))
      canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
      const url = canvas.toDataURL(type)
      if (url.length <= MAX_LOGO) return url
    }
  return null
}
