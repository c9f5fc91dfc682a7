// The library's base styles; a component's own styles are loaded with it (see web/library-styles.ts). They are in a CSS
// layer, so that ours win regardless of load order.
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'

// In development the library is one bundle, and so are its styles.
if (import.meta.env.DEV) {
  void import('@mantine/core/styles.layer.css')
  void import('@mantine/notifications/styles.layer.css')
}
