/** Forgets the maps that were seen: where a driver was is nobody else's business. */
export const forgetMap = async () => void (await caches.delete(__MAP_CACHE__))
