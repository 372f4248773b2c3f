/** The build compiles these modules from the sources and `web/locales/` (`web/scripts/vite-texts.ts`). */
declare module 'virtual:texts/en' {
  const catalog: import('./i18n.ts').Catalog;
  export default catalog;
}
declare module 'virtual:texts/de' {
  const catalog: import('./i18n.ts').Catalog;
  export default catalog;
}
