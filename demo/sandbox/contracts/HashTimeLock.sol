// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// Holds money until a secret is shown or a number of blocks has passed. Derived contracts say which kind of money.
///
/// The sandbox's own contract, written to match the public wire format of generation "2": function selectors,
/// order ids, events, errors and the EIP-712 domain are those of the public services of this family.
abstract contract HashTimeLock is EIP712 {
    struct Order {
        address initiator;
        address redeemer;
        uint256 initiatedAt;
        uint256 timelock;
        uint256 amount;
        uint256 fulfilledAt;
    }

    error HTLC__ZeroAddressRedeemer();
    error HTLC__ZeroTimelock();
    error HTLC__ZeroAmount();
    error HTLC__SameInitiatorAndRedeemer();
    error HTLC__DuplicateOrder();
    error HTLC__OrderNotInitiated();
    error HTLC__OrderFulfilled();
    error HTLC__OrderNotExpired();
    error HTLC__IncorrectSecret();
    error HTLC__InvalidRedeemerSignature();

    event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 indexed amount);
    event Redeemed(bytes32 indexed orderID, bytes32 indexed secretHash, bytes secret);
    event Refunded(bytes32 indexed orderID);

    bytes32 private constant REFUND_TYPEHASH = keccak256("Refund(bytes32 orderId)");

    /// Orders by id. `initiatedAt` and `fulfilledAt` are block numbers; `timelock` counts blocks.
    mapping(bytes32 orderID => Order) public orders;

    constructor() EIP712("HTLC", "2") {}

    /// Pays the redeemer. Anyone may call it with the secret: 32 bytes whose SHA-256 is the order's secret hash.
    function redeem(bytes32 orderID, bytes calldata secret) external {
        require(secret.length == 32, HTLC__IncorrectSecret());
        Order storage order = _open(orderID);
        bytes32 secretHash = sha256(secret);
        // The id binds the hash, so that the hash itself need not be stored.
        require(_orderID(secretHash, order.initiator) == orderID, HTLC__IncorrectSecret());
        order.fulfilledAt = block.number;
        emit Redeemed(orderID, secretHash, secret);
        _pay(order.redeemer, order.amount);
    }

    /// Refunds the initiator once the timelock has expired. Anyone may call it.
    function refund(bytes32 orderID) external {
        Order storage order = _open(orderID);
        require(order.initiatedAt + order.timelock < block.number, HTLC__OrderNotExpired());
        _refund(orderID, order);
    }

    /// Refunds the initiator at any time if the redeemer agrees, by calling it or by a signature.
    function instantRefund(bytes32 orderID, bytes calldata signature) external {
        Order storage order = _open(orderID);
        if (msg.sender != order.redeemer) {
            bytes32 message = keccak256(abi.encode(REFUND_TYPEHASH, orderID));
            require(
                SignatureChecker.isValidSignatureNow(order.redeemer, _hashTypedDataV4(message), signature),
                HTLC__InvalidRedeemerSignature()
            );
        }
        _refund(orderID, order);
    }

    /// Pays out what is held.
    function _pay(address to, uint256 amount) internal virtual;

    function _lock(
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash
    ) internal {
        require(redeemer != address(0), HTLC__ZeroAddressRedeemer());
        require(redeemer != initiator, HTLC__SameInitiatorAndRedeemer());
        require(timelock > 0, HTLC__ZeroTimelock());
        require(amount > 0, HTLC__ZeroAmount());
        bytes32 orderID = _orderID(secretHash, initiator);
        // The only guard against a signature used twice: the typed data has neither nonce nor deadline.
        require(orders[orderID].timelock == 0, HTLC__DuplicateOrder());
        orders[orderID] = Order(initiator, redeemer, block.number, timelock, amount, 0);
        emit Initiated(orderID, secretHash, amount);
    }

    function _refund(bytes32 orderID, Order storage order) private {
        order.fulfilledAt = block.number;
        emit Refunded(orderID);
        _pay(order.initiator, order.amount);
    }

    function _open(bytes32 orderID) private view returns (Order storage order) {
        order = orders[orderID];
        require(order.timelock != 0, HTLC__OrderNotInitiated());
        require(order.fulfilledAt == 0, HTLC__OrderFulfilled());
    }

    function _orderID(bytes32 secretHash, address initiator) private view returns (bytes32) {
        return sha256(abi.encode(block.chainid, secretHash, initiator));
    }
}
