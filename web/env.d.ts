declare module 'virtual:endpoints' {
  const endpoints: import('../sdk/calls.ts').Endpoints
  export default endpoints
}
declare module '@fontsource-variable/inter'
declare module '*.wasm?url' {
  const path: string
  export default path
}
/** The version of Waybill, from package.json. */
declare const __WAYBILL_VERSION__: string
/** Where the service worker of the driver's app keeps maps that were seen; it shares no module with the app. */
declare const __MAP_CACHE__: string
/** Where the app keeps what its service worker says while it is closed. */
declare const __NOTICE__: string
