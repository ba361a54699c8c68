<?php
/**
 * Settings → Swap Widget, for administrators. WordPress itself checks who saves it (`manage_options`) and its nonce.
 *
 * @package swap-widget
 */

defined( 'ABSPATH' ) || exit;

add_action( 'admin_init', 'swap_widget_register_settings' );
add_action( 'admin_menu', 'swap_widget_add_page' );
add_filter( 'plugin_action_links_swap-widget/swap-widget.php', 'swap_widget_action_links' );

/** Each setting: its label, and the help below its field. */
function swap_widget_fields(): array {
	return array(
		'base-url'       => array(
			__( 'Service', 'swap-widget' ),
			__( 'The address of the swap service, without /v2. It begins with https://.', 'swap-widget' ),
		),
		'app-id'         => array(
			__( 'App ID', 'swap-widget' ),
			__( 'As the operator gave it to you: 64 digits, 0–9 and a–f.', 'swap-widget' ),
		),
		'affiliate-fees' => array(
			__( 'Site fee', 'swap-widget' ),
			__( 'Your share, which visitors see: asset, your address and hundredths of a percent. Several are separated by commas. Example: base:cbbtc 0xYourAddress 10', 'swap-widget' ),
		),
		'assets'         => array(
			__( 'Assets', 'swap-widget' ),
			__( 'What can be swapped: bitcoin:btc, base:cbbtc, or base:* for all of a chain. Empty: all that are known.', 'swap-widget' ),
		),
		'rpc'            => array(
			__( 'Nodes', 'swap-widget' ),
			__( 'Where chains are read, so that the widget can check what the service says. Example: base https://node.example, bitcoin https://esplora.example/api', 'swap-widget' ),
		),
		'more'           => array(
			__( 'More settings', 'swap-widget' ),
			__( 'JSON with any of assets, chains and policy, as the widget’s reference describes these properties.', 'swap-widget' ),
		),
	);
}

/** Registers the option and its fields. */
function swap_widget_register_settings() {
	register_setting(
		'swap_widget',
		'swap_widget',
		array(
			'type'              => 'object',
			'default'           => SWAP_WIDGET_DEFAULTS,
			'sanitize_callback' => 'swap_widget_sanitize',
			'show_in_rest'      => false,
		)
	);
	add_settings_section( 'swap_widget', '', '__return_null', 'swap-widget' );
	foreach ( swap_widget_fields() as $name => list( $label, $help ) ) {
		add_settings_field(
			"swap-widget-$name",
			$label,
			'swap_widget_field',
			'swap-widget',
			'swap_widget',
			array(
				'label_for' => "swap-widget-$name",
				'name'      => $name,
				'help'      => $help,
			)
		);
	}
}

/** Adds the page to the menu. */
function swap_widget_add_page() {
	$title = __( 'Swap Widget', 'swap-widget' );
	add_options_page( $title, $title, 'manage_options', 'swap-widget', 'swap_widget_page' );
}

/**
 * Adds a link to the page in the list of plugins.
 *
 * @param array $links Those that are there.
 */
function swap_widget_action_links( array $links ): array {
	$url = esc_url( admin_url( 'options-general.php?page=swap-widget' ) );
	return array_merge( array( "<a href=\"$url\">" . esc_html__( 'Settings', 'swap-widget' ) . '</a>' ), $links );
}

/** Draws the page. */
function swap_widget_page() {
	if ( ! current_user_can( 'manage_options' ) ) {
		return;
	}
	?>
	<div class="wrap">
		<h1><?php echo esc_html( get_admin_page_title() ); ?></h1>
		<p>
			<?php
			/* translators: %s is the shortcode. */
			printf( esc_html__( 'Visitors can swap wherever the block “Swap Widget” or the shortcode %s stands.', 'swap-widget' ), '<code>[swap_widget from="bitcoin:btc" to="base:cbbtc"]</code>' );
			?>
		</p>
		<form action="options.php" method="post">
			<?php
			settings_fields( 'swap_widget' );
			do_settings_sections( 'swap-widget' );
			submit_button();
			?>
		</form>
	</div>
	<?php
}

/**
 * Draws a field.
 *
 * @param array $field As it was registered.
 */
function swap_widget_field( array $field ) {
	$html  = in_array( $field['name'], array( 'base-url', 'app-id' ), true )
		? '<input type="text" id="%1$s" name="%2$s" value="%3$s" aria-describedby="%1$s-help" class="large-text code" spellcheck="false" autocomplete="off">'
		: '<textarea id="%1$s" name="%2$s" rows="3" aria-describedby="%1$s-help" class="large-text code" spellcheck="false">%3$s</textarea>';
	$value = swap_widget_settings()[ $field['name'] ];
	printf(
		$html . '<p class="description" id="%1$s-help">%4$s</p>', // phpcs:ignore WordPress.Security.EscapeOutput
		esc_attr( $field['label_for'] ),
		esc_attr( "swap_widget[{$field['name']}]" ),
		'<input' === substr( $html, 0, 6 ) ? esc_attr( $value ) : esc_textarea( $value ),
		esc_html( $field['help'] )
	);
}

/**
 * Validates what was typed. An invalid field keeps its previous value, and is reported.
 *
 * @param mixed $typed The fields, unslashed.
 */
function swap_widget_sanitize( $typed ): array {
	$settings = swap_widget_settings();
	$readers  = array(
		'base-url'       => 'swap_widget_read_url',
		'app-id'         => 'swap_widget_read_app_id',
		'affiliate-fees' => 'swap_widget_read_fees',
		'assets'         => 'swap_widget_read_assets',
		'rpc'            => 'swap_widget_read_rpc',
		'more'           => 'swap_widget_read_more',
	);
	foreach ( $readers as $name => $read ) {
		$text = is_array( $typed ) && is_string( $typed[ $name ] ?? null ) ? trim( $typed[ $name ] ) : '';
		// JSON keeps its characters: it is decoded instead.
		$text  = 'more' === $name ? $text : sanitize_textarea_field( $text );
		$value = '' === $text ? '' : $read( $text );
		if ( null !== $value ) {
			$settings[ $name ] = $value;
			continue;
		}
		/* translators: %s is the label of a field. */
		$message = __( '“%s” was not saved: it is not written as described below its field.', 'swap-widget' );
		add_settings_error( 'swap_widget', "swap-widget-$name", sprintf( $message, swap_widget_fields()[ $name ][0] ) );
	}
	return $settings;
}

/** An https address, or http on this machine; null if it is neither. */
function swap_widget_read_url( string $text ): ?string {
	$url  = esc_url_raw( $text, array( 'https', 'http' ) );
	$host = wp_parse_url( $url, PHP_URL_HOST );
	$is_local = in_array( $host, array( 'localhost', '127.0.0.1', '[::1]' ), true );
	if ( ! $host || $url !== $text || ( ! $is_local && 'https' !== wp_parse_url( $url, PHP_URL_SCHEME ) ) ) {
		return null;
	}
	return untrailingslashit( $url );
}

/** 64 hex digits; null if they are not. */
function swap_widget_read_app_id( string $text ): ?string {
	return preg_match( '/^[0-9a-f]{64}$/', $text ) ? $text : null;
}

/** Entries of asset, address and basis points; null if one is invalid. */
function swap_widget_read_fees( string $text ): ?string {
	return swap_widget_read_list( $text, '/^[a-z0-9_]+:[a-z0-9_.-]+ [a-zA-Z0-9]+ \d{1,4}$/' );
}

/** Ids of assets; null if one is invalid. */
function swap_widget_read_assets( string $text ): ?string {
	return swap_widget_read_list( preg_replace( '/[\s,]+/', ', ', $text ), '/^[a-z0-9_]+:(\*|[a-z0-9_.-]+)$/' );
}

/** Entries of a chain and its RPCs; null if one is invalid. */
function swap_widget_read_rpc( string $text ): ?string {
	$list = swap_widget_read_list( $text, '/^[a-z0-9_]+( \S+)+$/' );
	foreach ( null === $list ? array() : explode( ', ', $list ) as $entry ) {
		foreach ( array_slice( explode( ' ', $entry ), 1 ) as $url ) {
			if ( null === swap_widget_read_url( $url ) ) {
				return null;
			}
		}
	}
	return $list;
}

/** Entries between commas, each matching the pattern, with single spaces; null if one does not. */
function swap_widget_read_list( string $text, string $pattern ): ?string {
	$entries = array_map( 'trim', explode( ',', preg_replace( '/\s+/', ' ', $text ) ) );
	$entries = array_values( array_filter( $entries, 'strlen' ) );
	foreach ( $entries as $entry ) {
		if ( ! preg_match( $pattern, $entry ) ) {
			return null;
		}
	}
	return implode( ', ', $entries );
}

/** JSON of an object with allowed settings; null if it is invalid. */
function swap_widget_read_more( string $text ): ?string {
	$more = json_decode( $text );
	if ( ! is_object( $more ) || array_diff( array_keys( (array) $more ), array( 'assets', 'chains', 'policy' ) ) ) {
		return null;
	}
	return wp_json_encode( $more, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE );
}
