declare module 'virtual:endpoints' {
  const endpoints: import('../sdk/calls.ts').Endpoints
  export default endpoints
}
declare module '@fontsource-variable/inter'
/** The version of Waybill, from package.json. */
declare const __WAYBILL_VERSION__: string
