export const en = {
  console: async () => (await import('./console.ts')).consoleWords,
  driver: async () => (await import('./driver.ts')).driverWords,
  records: async () => (await import('./records.ts')).recordWords,
  settings: async () => (await import('./settings.ts')).settingTexts,
}
