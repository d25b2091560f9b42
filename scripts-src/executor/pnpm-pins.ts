/**
 * The variables by which pnpm takes `store` as its store, whatever a project's settings say: pnpm 11 and newer read the
 * `pnpm_config_` names and nothing else, older ones the `npm_config_` names and nothing else.
 */
export function pinnedStore(store: string): Record<string, string> {
  return { npm_config_store_dir: store, pnpm_config_store_dir: store };
}
