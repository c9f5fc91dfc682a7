// Where the page begins.
import './styles.ts'
import './page.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { watchGoingBack } from './parts/going-back.ts'
import { readable, theme } from './theme.ts'
import { Speaks } from './words/words.tsx'

const client = new QueryClient({
  defaultOptions: { queries: { staleTime: 5000, retry: 1, refetchOnWindowFocus: true } },
})
const nonce = () => document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
// What keeps the page still behind a window writes a style element, and looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce() })
watchGoingBack()

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={readable} defaultColorScheme="auto" getStyleNonce={nonce}>
        <Notifications position="top-right" />
        <QueryClientProvider client={client}>
          <Speaks>
            <App />
          </Speaks>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
