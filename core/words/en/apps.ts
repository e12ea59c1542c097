export const en = {
  console: async () => (await import('./console.ts')).consoleWords,
  driver: async () => (await import('./driver.ts')).driverWords,
  settings: async () => (await import('./settings.ts')).settingTexts,
}
