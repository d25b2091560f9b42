export declare const COMMANDS: readonly string[];
export declare const MANIFEST: string;
